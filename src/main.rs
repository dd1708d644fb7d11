//! The `cellhold` binary: arguments only. What a command does lives in the library.

use cellhold::arrays::level_zero;
use cellhold::batch::{self, BatchError};
use cellhold::kernel;
use cellhold::kernel::client::Usage;
use cellhold::kernel::install::{self, Location};
use cellhold::repl;
use cellhold::report;
use cellhold::session::{History, lessons};
use clap::{Args, Parser, Subcommand};
use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

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
        /// Set a name before it runs: a JSON value, True, False, None, or else text
        #[arg(long = "param", value_name = "NAME=VALUE")]
        parameters: Vec<String>,
        /// Write what memory is held at the end, and by what, as JSON
        #[arg(long, value_name = "FILE")]
        memory_report: Option<PathBuf>,
        /// Leave with status 3 and say what holds it when device memory is still held at the end
        #[arg(long)]
        fail_on_leak: bool,
        /// Write the notebook with the outputs of this run
        #[arg(short, long, value_name = "OUT.ipynb")]
        output: Option<PathBuf>,
        /// FILE.py, FILE.ipynb, or - for the standard input
        file: PathBuf,
        /// What the program finds in sys.argv
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// List this machine's devices, what they offer and how much memory they have
    Devices,
    /// List the lessons on what holds memory, or copy them to a folder
    Lessons {
        #[command(subcommand)]
        action: Option<LessonsAction>,
    },
    /// Summarise a trace: of %trace save, or of a dpnp script under SYCL_UR_TRACE=2
    Report {
        /// The file
        file: PathBuf,
    },
    /// Check a device: facts, memory, every family of programs against the native result, bandwidth
    Doctor {
        /// Its filter string, as `cellhold devices` shows it
        #[arg(long, value_name = "FILTER", default_value = "level_zero:gpu:0")]
        device: String,
    },
    /// Watch the memory of this user's running kernels
    Top {
        /// Print once and leave
        #[arg(long)]
        once: bool,
        /// Print once as JSON: a list of connection file and usage
        #[arg(long)]
        json: bool,
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

#[derive(Subcommand)]
enum LessonsAction {
    /// Write the notebooks into a folder
    Copy {
        /// The folder, made if it is not there
        folder: PathBuf,
    },
}

#[derive(Args)]
struct Place {
    /// This user's Jupyters (what is meant when nothing is said)
    #[arg(long, group = "where")]
    user: bool,
    /// The active Python environment, or that of `python3` where none is active
    #[arg(long, group = "where")]
    sys_prefix: bool,
    /// DIR/share/jupyter
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

fn main() -> ! {
    let cli = Cli::parse();
    if !matches!(cli.command, Some(Command::Install { .. } | Command::Uninstall { .. })) {
        let_old_loaders_tell_about_memory();
    }
    let status = match run(cli) {
        Ok(status) => status,
        Err(error) => fail(&*error),
    };
    // Not through the exit handlers of drivers: a search for devices may be in the middle of one on another thread.
    let _ = std::io::stdout().flush();
    kernel::leave(status.into())
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
fn run(cli: Cli) -> Result<u8, Box<dyn Error>> {
    let terminal =
        |is_quiet, is_full_screen| repl::Options { history: History::default_path(), is_quiet, is_full_screen };
    let Some(command) = cli.command else { return Ok(repl::run(terminal(false, true))?) };
    match command {
        Command::Repl { quiet } => Ok(repl::run(terminal(quiet, false))?),
        Command::Run { parameters, memory_report, fail_on_leak, output, file, arguments } => {
            let options =
                batch::Options { file, arguments, parameters, memory_report, fails_on_leak: fail_on_leak, output };
            match batch::run(options) {
                // The status that Python leaves with when it cannot open a program.
                Err(error @ BatchError::Unreadable(..)) => {
                    fail(&error);
                    Ok(2)
                }
                other => Ok(other?),
            }
        }
        Command::Devices => Ok(batch::print_devices()?),
        Command::Lessons { action: None } => {
            for lesson in lessons::LESSONS {
                println!("{:>2}  {:<66} {}", lesson.number, lesson.title, lesson.file);
            }
            println!("cellhold lessons copy FOLDER writes them there.");
            Ok(0)
        }
        Command::Lessons { action: Some(LessonsAction::Copy { folder }) } => {
            let (written, left) = lessons::copy_lessons(&folder)
                .map_err(|error| format!("can't write to '{}': {error}", folder.display()))?;
            println!("{}", lessons::copied_text(&folder, &written, &left));
            Ok(0)
        }
        Command::Report { file } => {
            let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120);
            println!("{}", report::report(&file, width)?.trim_end());
            Ok(0)
        }
        Command::Doctor { device } => Ok(batch::doctor(&device)?),
        Command::Top { once, json } => Ok(top(once, json)?),
        Command::Kernel { connection_file } => match kernel::serve(&connection_file)? {},
        Command::Install { place } => {
            let folder = install::install(&place.location(), &place.name, &std::env::current_exe()?)?;
            println!("Installed the kernel {:?} in {}", place.name, folder.display());
            Ok(0)
        }
        Command::Uninstall { place } => {
            let folder = install::uninstall(&place.location(), &place.name)?;
            println!("Removed {}", folder.display());
            Ok(0)
        }
    }
}

/// How long kernels that listen have to say what they hold.
const PATIENCE: Duration = Duration::from_secs(2);

#[expect(clippy::print_stdout, reason = "the command line's own answers")]
fn top(once: bool, json: bool) -> Result<u8, Box<dyn Error>> {
    if json {
        let usages = kernel::client::usages(PATIENCE).into_iter();
        let list: Vec<_> =
            usages.map(|usage| serde_json::json!({"file": usage.file, "usage": usage.content})).collect();
        println!("{:#}", serde_json::Value::from(list));
        return Ok(0);
    }
    let ask = || {
        let name = |usage: &Usage| {
            let notebook = usage.content["notebook"].as_str().map(std::path::PathBuf::from);
            let name = notebook.as_deref().and_then(std::path::Path::file_name).or_else(|| usage.file.file_stem());
            name.map(|name| name.to_string_lossy().into_owned())
        };
        let usages = kernel::client::usages(PATIENCE).into_iter();
        usages
            .map(|usage| repl::top::Running { name: name(&usage).unwrap_or_default(), usage: usage.content })
            .collect()
    };
    if once || !std::io::stdout().is_terminal() {
        let running: Vec<_> = ask();
        return Ok(repl::top::print(&running)?);
    }
    Ok(repl::top::run(ask)?)
}

#[expect(clippy::print_stderr, reason = "the command line's own complaints")]
fn fail(error: &dyn Error) -> u8 {
    eprintln!("cellhold: {error}");
    1
}
