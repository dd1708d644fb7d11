//! The `cellhold` binary: arguments only. What a command does lives in the library.

use cellhold::arrays::level_zero;
use cellhold::batch;
use cellhold::kernel;
use cellhold::kernel::install::{self, Location};
use cellhold::repl;
use cellhold::report;
use cellhold::session::History;
use clap::{Args, Parser, Subcommand};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  cellhold                         the terminal; F1 explains the keys, %help the magics
  cellhold install --user          then choose \"Cellhold\" in JupyterLab
  cellhold run train.py --epochs 3
  cellhold devices";

const ABOUT: &str = "\
A Jupyter kernel and terminal for arrays on Intel devices. It shows which cell,
name, list or closure still holds device memory, and lets you let go of it.
Cells are Python syntax with the names of dpnp, dpctl and NumPy.";

#[derive(Parser)]
#[command(name = "cellhold", version, about = ABOUT, after_help = EXAMPLES)]
struct Cli {
    /// Nothing said: the full-screen terminal
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Talk to it line by line, for slow connections and logs (no command at all: full screen)
    Repl {
        /// Start without the line that says where you are
        #[arg(short, long)]
        quiet: bool,
    },
    /// Run a script, a notebook's cells, or what comes through a pipe, and leave with its exit status
    Run {
        /// FILE.py, FILE.ipynb, or - for the standard input
        file: PathBuf,
        /// What the program finds in sys.argv
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// List this machine's devices, what they offer and how much memory they have
    Devices,
    /// Summarise a trace: of %trace save, or of a dpnp script under SYCL_UR_TRACE=2
    Report {
        /// The file
        file: PathBuf,
    },
    /// Serve a notebook: started by Jupyter, not by hand
    Kernel {
        /// Where Jupyter says which ports to use
        #[arg(short = 'f', long = "connection-file", value_name = "FILE")]
        connection_file: PathBuf,
    },
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
    let cli = Cli::parse();
    if !matches!(cli.command, Some(Command::Install { .. } | Command::Uninstall { .. })) {
        let_old_loaders_tell_about_memory();
    }
    match run(cli) {
        Ok(code) => code,
        Err(error) => fail(&*error),
    }
}

/// An old Level Zero loader tells about memory only if a variable says so before its first use; with a newer one the variable
/// would do harm.
fn let_old_loaders_tell_about_memory() {
    let (name, value) = level_zero::SYSMAN_VARIABLE;
    if std::env::var_os(name).is_none() && level_zero::wants_sysman_variable() {
        // SAFETY: this is the only thread so far; nobody else reads or writes the environment.
        unsafe { std::env::set_var(name, value) };
    }
}

#[expect(clippy::print_stdout, reason = "the command line's own answers")]
fn run(cli: Cli) -> Result<ExitCode, Box<dyn Error>> {
    let terminal =
        |is_quiet, is_full_screen| repl::Options { history: History::default_path(), is_quiet, is_full_screen };
    let Some(command) = cli.command else { return Ok(repl::run(terminal(false, true))?.into()) };
    match command {
        Command::Repl { quiet } => Ok(repl::run(terminal(quiet, false))?.into()),
        Command::Run { file, arguments } => Ok(batch::run(&file, arguments)?.into()),
        Command::Devices => Ok(batch::print_devices()?.into()),
        Command::Report { file } => {
            let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120);
            print!("{}", report::report(&file, width)?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Kernel { connection_file } => match kernel::serve(&connection_file)? {},
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
