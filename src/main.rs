//! The `cellhold` binary: arguments only. What a command does lives in the library.

use cellhold::kernel::install::{self, Location};
use clap::{Args, Parser, Subcommand};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// A Jupyter kernel and terminal for arrays on Intel devices. It shows which cell, name, list or closure still holds
/// device memory, and lets you let go of it. Cells are Python syntax with the names of dpnp, dpctl and NumPy.
#[derive(Parser)]
#[command(name = "cellhold", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install the Jupyter kernel, so that notebooks can choose Cellhold
    Install {
        #[command(flatten)]
        place: Place,
    },
    /// Remove what `install` wrote
    Uninstall {
        #[command(flatten)]
        place: Place,
    },
}

#[derive(Args)]
struct Place {
    /// For this user's Jupyters (what happens when nothing is said)
    #[arg(long, group = "where")]
    user: bool,
    /// Into the active Python environment
    #[arg(long, group = "where")]
    sys_prefix: bool,
    /// Under DIR/share/jupyter
    #[arg(long, group = "where", value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// The kernel's name, for `jupyter console --kernel NAME`
    #[arg(long, default_value = "cellhold")]
    name: String,
}

impl Place {
    fn location(&self) -> Location {
        match &self.prefix {
            Some(prefix) => Location::Prefix(prefix.clone()),
            None if self.sys_prefix => Location::SysPrefix,
            None => Location::User,
        }
    }
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => fail(&*error),
    }
}

#[expect(clippy::print_stdout, reason = "the command line's own answers")]
fn run(cli: Cli) -> Result<ExitCode, Box<dyn Error>> {
    match cli.command {
        Command::Install { place } => {
            let folder = install::install(&place.location(), &place.name, &std::env::current_exe()?)?;
            println!("Installed the kernel {:?} in {}", place.name, folder.display());
            Ok(ExitCode::SUCCESS)
        }
        Command::Uninstall { place } => {
            let folder = install::uninstall(&place.location(), &place.name)?;
            println!("Removed {}", folder.display());
            Ok(ExitCode::SUCCESS)
        }
    }
}

#[expect(clippy::print_stderr, reason = "the command line's own complaints")]
fn fail(error: &dyn Error) -> ExitCode {
    eprintln!("cellhold: {error}");
    ExitCode::FAILURE
}
