//! Importing: native modules, modules written in the language, files beside the program.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Vm;
use crate::lang::builtins::classes::Builtin;
use crate::lang::compile::LastExpression;
use crate::lang::heap::Ref;
use crate::lang::modules::{NATIVE, TEXTS, absent, elsewhere};
use crate::lang::name::{Name, names};
use crate::lang::objects::ModuleObject;
use crate::lang::parse::Dialect;
use crate::lang::raise::{Fallible, Raised};
use crate::lang::traceback::suggest;
use crate::lang::value::Value;

impl Vm {
    /// Imports a module by its dotted name and gives the module itself.
    pub fn import(&mut self, name: &str) -> Fallible<Value> {
        let mut parent: Option<Ref<ModuleObject>> = None;
        let mut at = 0;
        loop {
            let end = name[at..].find('.').map_or(name.len(), |dot| at + dot);
            let found = self.import_one(&name[..end], parent.as_ref())?;
            if let Some(parent) = &parent {
                parent.set(Name::new(&name[at..end]), Value::Module(found.clone()));
            }
            if end == name.len() {
                return Ok(Value::Module(found));
            }
            parent = Some(found);
            at = end + 1;
        }
    }

    fn import_one(&mut self, name: &str, parent: Option<&Ref<ModuleObject>>) -> Fallible<Ref<ModuleObject>> {
        let key = Name::new(name);
        if let Some((_, module)) = self.modules.iter().find(|(known, _)| *known == key) {
            return Ok(module.clone());
        }
        if let Some((_, build)) = NATIVE.iter().find(|(known, _)| *known == name) {
            let module = build(self)?;
            self.register_module(key, &module);
            crate::lang::heap::reset_allocation_balance();
            return Ok(module);
        }
        if let Some((_, text)) = TEXTS.iter().find(|(known, _)| *known == name) {
            return self.run_module(key, &format!("<built-in module {name}>"), text, None);
        }
        // `import a.b` also finds a module that `a` has as an attribute.
        if let Some(parent) = parent {
            let last = name.rsplit('.').next().unwrap_or(name);
            if let Some(Value::Module(module)) = parent.get(Name::new(last)) {
                self.register_module(key, &module);
                return Ok(module);
            }
        }
        if let Some((path, text)) = self.find_file(name, parent) {
            return self.run_module(key, &path, &text, Some(&path));
        }
        let message = match parent {
            Some(parent) if !parent.globals.borrow().iter().any(|(own, _)| own == names::PATH) => {
                format!("No module named '{name}'; '{}' is not a package", parent.name)
            }
            _ => format!("No module named '{name}'"),
        };
        let error = Raised::builtin(Builtin::ModuleNotFoundError, message);
        error.0.set_attribute(Name::new("name"), Value::str(name));
        if parent.is_none() {
            explain_absent(&error, name);
        }
        Err(error)
    }

    fn register_module(&mut self, name: Name, module: &Ref<ModuleObject>) {
        if !self.modules.iter().any(|(known, _)| *known == name) {
            self.modules.push((name, module.clone()));
        }
    }

    /// The folders that modules are looked for in: what the program made of `sys.path`, once there is one.
    pub fn import_folders(&self) -> Vec<PathBuf> {
        let sys = self.modules.iter().find(|(name, _)| name.text() == "sys");
        match sys.and_then(|(_, sys)| sys.get(Name::new("path"))) {
            // Only text counts, as in Python; the empty one is the current folder.
            Some(Value::List(list)) => {
                list.items.borrow().iter().filter_map(Value::as_str).map(PathBuf::from).collect()
            }
            Some(_) => Vec::new(),
            None => self.import_path.clone(),
        }
    }

    /// A file of that name, with its text: of a part of a package in its folder, else in the import path.
    fn find_file(&self, name: &str, parent: Option<&Ref<ModuleObject>>) -> Option<(String, String)> {
        let (folders, relative) = match parent.and_then(package_folder) {
            Some(folder) => (vec![folder], name.rsplit('.').next().unwrap_or(name).to_owned()),
            None => (self.import_folders(), name.replace('.', "/")),
        };
        for folder in folders {
            for candidate in [folder.join(format!("{relative}.py")), folder.join(&relative).join("__init__.py")] {
                if let Ok(text) = std::fs::read_to_string(&candidate) {
                    return Some((candidate.display().to_string(), text));
                }
            }
        }
        None
    }

    fn run_module(&mut self, name: Name, source: &str, text: &str, file: Option<&str>) -> Fallible<Ref<ModuleObject>> {
        let module = Ref::new(ModuleObject::new(name));
        module.set(names::NAME, Value::str(name.text()));
        module.set(names::DOC, Value::None);
        if let Some(file) = file {
            module.set(names::FILE, Value::str(file));
            if file.ends_with("__init__.py") {
                module.set(names::PATH, Value::list(vec![]));
            }
        }
        self.register_module(name, &module);
        let text: Rc<str> = text.into();
        let source = self.new_source(source, text, None);
        let result = self.run_source(&source, Dialect::File, LastExpression::Discard, &module);
        if let Err(error) = result {
            self.modules.retain(|(known, _)| *known != name);
            return Err(error);
        }
        Ok(module)
    }

    /// The value of an `import` statement: the whole module, or its topmost package.
    pub(super) fn import_statement(&mut self, name: Name, whole: bool) -> Fallible<Value> {
        let text = name.text();
        if text.starts_with('.') {
            let absolute = self.beside_the_running(text)?;
            return self.import(&absolute);
        }
        let module = self.import(text)?;
        if whole {
            return Ok(module);
        }
        let top = Name::new(text.split('.').next().unwrap_or(text));
        Ok(self.modules.iter().find(|(known, _)| *known == top).map_or(module, |(_, top)| Value::Module(top.clone())))
    }

    /// The whole name of a module that is named from the package of the running one: `.leaf`, `..`.
    fn beside_the_running(&self, name: &str) -> Fallible<String> {
        let refuse = |message: &str| Err(Raised::builtin(Builtin::ImportError, message));
        let Some(running) = self.frames.last().map(|frame| frame.module()) else {
            return refuse("attempted relative import with no known parent package");
        };
        let mut package: Vec<&str> = running.name.text().split('.').collect();
        if package_folder(running).is_none() {
            package.pop();
        }
        if package.is_empty() {
            return refuse("attempted relative import with no known parent package");
        }
        let rest = name.trim_start_matches('.');
        let above = name.len() - rest.len() - 1;
        if above >= package.len() {
            return refuse("attempted relative import beyond top-level package");
        }
        package.truncate(package.len() - above);
        package.extend(Some(rest).filter(|rest| !rest.is_empty()));
        Ok(package.join("."))
    }

    /// `from module import name`
    pub(super) fn import_from(&mut self, module: &Value, name: Name) -> Fallible<Value> {
        if let Some(value) = self.find_attribute(module, name)? {
            return Ok(value);
        }
        let Value::Module(own) = module else {
            return Err(Raised::builtin(Builtin::ImportError, format!("cannot import name '{name}'")));
        };
        let full = format!("{}.{name}", own.name);
        match self.import(&full) {
            Ok(value) => return Ok(value),
            Err(error) if error.is(Builtin::ModuleNotFoundError) => {}
            Err(error) => return Err(error),
        }
        let place = own.get(names::FILE).and_then(|file| file.as_str().map(str::to_owned));
        let place = place.unwrap_or_else(|| "unknown location".to_owned());
        let reason = absent::refusal(module, name.text()).map(|reason| format!(": {reason}")).unwrap_or_default();
        let error = Raised::builtin(
            Builtin::ImportError,
            format!("cannot import name '{name}' from '{}' ({place}){reason}", own.name),
        );
        error.0.set_attribute(Name::new("name"), Value::str(own.name.text()));
        Err(error)
    }

    /// `from module import *`
    pub(super) fn import_star(&mut self, module: &Value, into: &Ref<ModuleObject>) -> Fallible<()> {
        let Value::Module(own) = module else { return Ok(()) };
        let wanted: Vec<Name> = match own.get(names::ALL) {
            Some(all) => {
                let mut wanted = Vec::new();
                for item in self.collect(&all)? {
                    wanted.push(self.attribute_name(&item)?);
                }
                wanted
            }
            None => {
                own.globals.borrow().iter().map(|(name, _)| name).filter(|name| !name.text().starts_with('_')).collect()
            }
        };
        for name in wanted {
            let value = self.get_attribute(module, name)?;
            into.set(name, value);
        }
        Ok(())
    }
}

/// The folder of a package that came from a file.
fn package_folder(module: &Ref<ModuleObject>) -> Option<PathBuf> {
    let file = module.get(names::FILE)?;
    let file = Path::new(file.as_str()?);
    (file.file_name()? == "__init__.py").then(|| file.parent().map(Path::to_path_buf))?
}

/// Says as a note what this program is, the module that may have been meant, and where all are listed.
fn explain_absent(error: &Raised, name: &str) {
    let known = module_names();
    // Nobody who wrote `scipy` meant `copy`: what was meant begins as it was written.
    let alike = known.iter().filter(|known| known.as_bytes().first() == name.as_bytes().first());
    let near = suggest(name, alike.map(|name| Name::new(name)));
    let near = near.map(|near| format!("Did you mean '{near}'? ")).unwrap_or_default();
    let near = elsewhere::remedy(name).map_or(near, |remedy| format!("{remedy} "));
    let note = format!(
        "{near}Cellhold runs Python syntax on an engine of its own, without Python's packages. It has dpnp, dpctl, numpy and much of \
         the standard library; help('modules') lists all modules."
    );
    error.0.set_attribute(names::NOTES, Value::list(vec![Value::str(note)]));
}

/// The names of all modules that the engine brings, packages without their parts, sorted.
pub fn module_names() -> Vec<&'static str> {
    let native = NATIVE.iter().map(|(name, _)| *name);
    let mut known: Vec<&str> = native.chain(TEXTS.iter().map(|(name, _)| *name)).collect();
    known.retain(|name| !name.starts_with('_') && !name.contains('.'));
    known.sort_unstable();
    known.dedup();
    known
}
