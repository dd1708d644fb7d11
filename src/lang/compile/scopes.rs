//! Which name means which variable: one pass over the tree finds every scope's names, a second decides local, boxed,
//! captured or global, as Python does before it compiles.

use hashbrown::{HashMap, HashSet};

use crate::lang::code::Span;
use crate::lang::name::Name;
use crate::lang::parse::SyntaxProblem;
use crate::lang::tree::{
    Argument, Class, Comprehension, Expr, ExprKind, FormatPart, Function, FunctionBody, Module, Pattern, PatternKind,
    Stmt, StmtKind,
};

/// Index of a scope.
pub type ScopeId = usize;

/// What a scope belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// A cell or file.
    Module,
    /// A class body.
    Class,
    /// A function or lambda.
    Function,
    /// A comprehension or generator expression.
    Comprehension,
}

#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    is_bound: bool,
    is_parameter: bool,
    is_global: bool,
    is_nonlocal: bool,
    is_deleted: bool,
    span: Span,
}

/// One scope and what its names mean.
#[derive(Debug)]
pub struct Scope {
    /// What it belongs to.
    pub kind: ScopeKind,
    /// Whether it contains `yield`.
    pub is_generator: bool,
    /// Names in order of first appearance, parameters first.
    order: Vec<Name>,
    usage: HashMap<Name, Usage>,
    children: Vec<ScopeId>,
    /// Locals that closures share.
    pub cells: HashSet<Name>,
    /// Captured names in order.
    pub free: Vec<Name>,
}

/// What a name means in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A local in a register of its own.
    Local,
    /// A local in a box.
    Cell,
    /// Captured from an enclosing function.
    Free,
    /// A global or built-in.
    Global,
    /// A name of a class body.
    ClassName,
}

impl Scope {
    /// What a (mangled) name means here.
    pub fn meaning(&self, name: Name) -> Meaning {
        let usage = self.usage.get(&name).copied().unwrap_or_default();
        if usage.is_global || self.kind == ScopeKind::Module {
            Meaning::Global
        } else if self.kind == ScopeKind::Class && !usage.is_nonlocal && (name.text() != "__class__" || usage.is_bound)
        {
            Meaning::ClassName
        } else if self.cells.contains(&name) {
            Meaning::Cell
        } else if self.free.contains(&name) {
            Meaning::Free
        } else if usage.is_bound {
            Meaning::Local
        } else {
            Meaning::Global
        }
    }

    /// Names bound here that live in registers, parameters first.
    pub fn locals(&self) -> Vec<Name> {
        // The box that methods read `__class__` from stands beside an attribute of that name.
        let is_local =
            |name: &&Name| matches!(self.meaning(**name), Meaning::Local | Meaning::Cell) || self.cells.contains(*name);
        self.order.iter().filter(is_local).copied().collect()
    }

    /// Whether a name is bound here.
    pub fn binds(&self, name: Name) -> bool {
        self.usage.get(&name).is_some_and(|usage| usage.is_bound)
    }

    /// Whether a name is a parameter that nothing deletes, so that it is always bound.
    pub fn is_always_bound(&self, name: Name) -> bool {
        self.usage.get(&name).is_some_and(|usage| usage.is_parameter && !usage.is_deleted)
    }
}

/// `__x` inside a class is `_Class__x`.
pub fn mangle(private: Option<Name>, name: Name) -> Name {
    let text = name.text();
    match private {
        Some(class) if text.starts_with("__") && !text.ends_with("__") && !text.contains('.') => {
            let class = class.text().trim_start_matches('_');
            if class.is_empty() { name } else { Name::new(&format!("_{class}{text}")) }
        }
        _ => name,
    }
}

/// The scopes of a text, found by the address of the node that opens them.
#[derive(Debug)]
pub struct Scopes {
    scopes: Vec<Scope>,
    by_node: HashMap<usize, ScopeId>,
}

impl Scopes {
    /// Finds and resolves the scopes of a text.
    pub fn of(module: &Module) -> Result<Self, Box<SyntaxProblem>> {
        let mut builder = Builder {
            scopes: Self { scopes: Vec::new(), by_node: HashMap::new() },
            stack: Vec::new(),
            private: None,
            iterables: 0,
            problem: None,
        };
        builder.open(ScopeKind::Module, 0);
        builder.body(&module.body);
        builder.stack.pop();
        if let Some(problem) = builder.problem {
            return Err(problem);
        }
        let mut scopes = builder.scopes;
        scopes.resolve(0, &HashSet::new())?;
        Ok(scopes)
    }

    /// A scope.
    pub fn get(&self, id: ScopeId) -> &Scope {
        &self.scopes[id]
    }

    /// The scope a node opens.
    pub fn of_node<T>(&self, node: &T) -> ScopeId {
        self.by_node[&address(node)]
    }

    fn resolve(&mut self, id: ScopeId, enclosing: &HashSet<Name>) -> Result<HashSet<Name>, Box<SyntaxProblem>> {
        let class_name = Name::new("__class__");
        let is_function = matches!(self.scopes[id].kind, ScopeKind::Function | ScopeKind::Comprehension);
        let is_class = self.scopes[id].kind == ScopeKind::Class;
        let mut bound = HashSet::new();
        let mut free = Vec::new();
        let mut for_children = enclosing.clone();
        for name in &self.scopes[id].order {
            let usage = self.scopes[id].usage[name];
            if usage.is_global {
                for_children.remove(name);
            } else if usage.is_nonlocal {
                if !enclosing.contains(name) {
                    let message = format!("no binding for nonlocal '{name}' found");
                    return Err(Box::new(SyntaxProblem::new(message, usage.span)));
                }
                free.push(*name);
            } else if usage.is_bound {
                bound.insert(*name);
            } else if enclosing.contains(name) {
                free.push(*name);
            }
        }
        if is_function {
            for_children.extend(bound.iter().copied());
        }
        if is_class {
            for_children.insert(class_name);
        }
        let mut cells = HashSet::new();
        for child in self.scopes[id].children.clone() {
            for name in self.resolve(child, &for_children)? {
                let is_own = (is_function && bound.contains(&name)) || (is_class && name == class_name);
                if is_own {
                    cells.insert(name);
                } else if !free.contains(&name) {
                    free.push(name);
                }
            }
        }
        let scope = &mut self.scopes[id];
        if is_class && cells.contains(&class_name) && !scope.order.contains(&class_name) {
            scope.order.push(class_name);
        }
        scope.cells = cells;
        scope.free.clone_from(&free);
        Ok(free.into_iter().collect())
    }
}

fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

struct Builder {
    scopes: Scopes,
    stack: Vec<ScopeId>,
    private: Option<Name>,
    /// How many iterables of comprehensions are being read, where nothing may be assigned.
    iterables: usize,
    problem: Option<Box<SyntaxProblem>>,
}

impl Builder {
    fn open(&mut self, kind: ScopeKind, node: usize) -> ScopeId {
        let id = self.scopes.scopes.len();
        if let Some(&parent) = self.stack.last() {
            self.scopes.scopes[parent].children.push(id);
        }
        self.scopes.scopes.push(Scope {
            kind,
            is_generator: false,
            order: Vec::new(),
            usage: HashMap::new(),
            children: Vec::new(),
            cells: HashSet::new(),
            free: Vec::new(),
        });
        if node != 0 {
            self.scopes.by_node.insert(node, id);
        }
        self.stack.push(id);
        id
    }

    fn current(&mut self) -> &mut Scope {
        let id = *self.stack.last().expect("a scope is open while statements are read");
        &mut self.scopes.scopes[id]
    }

    fn fail(&mut self, message: String, span: Span) {
        if self.problem.is_none() {
            self.problem = Some(Box::new(SyntaxProblem::new(message, span)));
        }
    }

    fn usage(&mut self, name: Name) -> &mut Usage {
        let name = mangle(self.private, name);
        let scope = self.current();
        if !scope.usage.contains_key(&name) {
            scope.order.push(name);
        }
        scope.usage.entry(name).or_default()
    }

    fn bind(&mut self, name: Name) {
        self.usage(name).is_bound = true;
    }

    fn read(&mut self, name: Name) {
        self.usage(name);
        // `super()` without arguments reads the class it stands in.
        if name.text() == "super" && self.current().kind == ScopeKind::Function {
            self.usage(Name::new("__class__"));
        }
    }

    fn body(&mut self, body: &[Stmt]) {
        for statement in body {
            self.stmt(statement);
        }
    }

    fn stmt(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expression(value) => self.expr(value),
            StmtKind::Assign { targets, value } => {
                self.expr(value);
                targets.iter().for_each(|target| self.target(target));
            }
            StmtKind::AugmentedAssign { target, value, .. } => {
                self.target(target);
                self.expr(value);
            }
            StmtKind::AnnotatedAssign { target, annotation, value, .. } => {
                self.target(target);
                self.expr(annotation);
                self.optional(value.as_ref());
            }
            StmtKind::Return(value) => {
                if !matches!(self.current().kind, ScopeKind::Function) {
                    self.fail("'return' outside function".into(), statement.span);
                }
                self.optional(value.as_ref());
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    self.delete(target);
                }
            }
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                self.expr(test);
                self.body(body);
                self.body(orelse);
            }
            StmtKind::For { target, iterable, body, orelse } => {
                self.expr(iterable);
                self.target(target);
                self.body(body);
                self.body(orelse);
            }
            StmtKind::Function(function) => {
                self.bind(function.name);
                self.function(function);
            }
            StmtKind::Class(class) => self.class(class),
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.body(body);
                for handler in handlers {
                    self.optional(handler.class.as_ref());
                    if let Some(name) = handler.name {
                        self.bind(name);
                        self.usage(name).is_deleted = true;
                    }
                    self.body(&handler.body);
                }
                self.body(orelse);
                self.body(finalbody);
            }
            StmtKind::With { items, body } => {
                for item in items {
                    self.expr(&item.context);
                    if let Some(target) = &item.target {
                        self.target(target);
                    }
                }
                self.body(body);
            }
            StmtKind::Raise { exception, cause } => {
                self.optional(exception.as_ref());
                self.optional(cause.as_ref());
            }
            StmtKind::Assert { test, message } => {
                self.expr(test);
                self.optional(message.as_ref());
            }
            StmtKind::Import(aliases) => {
                for alias in aliases {
                    let top = alias.name.text().split('.').next().unwrap_or_default();
                    self.bind(alias.bound.unwrap_or_else(|| Name::new(top)));
                }
            }
            StmtKind::ImportFrom { names, .. } => {
                for alias in names {
                    if alias.name.text() == "*" {
                        if self.current().kind != ScopeKind::Module {
                            self.fail("import * only allowed at module level".into(), statement.span);
                        }
                    } else {
                        self.bind(alias.bound.unwrap_or(alias.name));
                    }
                }
            }
            StmtKind::Global(names) => {
                for name in names {
                    self.declare(*name, statement.span, true);
                }
            }
            StmtKind::Nonlocal(names) => {
                if self.current().kind == ScopeKind::Module {
                    self.fail("nonlocal declaration not allowed at module level".into(), statement.span);
                }
                for name in names {
                    self.declare(*name, statement.span, false);
                }
            }
            StmtKind::Match { subject, cases } => {
                self.expr(subject);
                for case in cases {
                    self.pattern(&case.pattern);
                    self.optional(case.guard.as_ref());
                    self.body(&case.body);
                }
            }
        }
    }

    fn declare(&mut self, name: Name, span: Span, is_global: bool) {
        let word = if is_global { "global" } else { "nonlocal" };
        let is_module = self.current().kind == ScopeKind::Module;
        let mangled = mangle(self.private, name);
        let known = self.current().usage.get(&mangled).copied();
        match known {
            Some(usage) if usage.is_parameter => {
                self.fail(format!("name '{name}' is parameter and {word}"), span);
            }
            Some(usage) if usage.is_global != usage.is_nonlocal && is_global == usage.is_nonlocal => {
                self.fail(format!("name '{name}' is nonlocal and global"), span);
            }
            Some(usage) if usage.is_bound && !usage.is_global && !usage.is_nonlocal && !is_module => {
                self.fail(format!("name '{name}' is assigned to before {word} declaration"), span);
            }
            Some(usage) if !usage.is_bound && !usage.is_global && !usage.is_nonlocal && !is_module => {
                self.fail(format!("name '{name}' is used prior to {word} declaration"), span);
            }
            _ => {}
        }
        let usage = self.usage(name);
        usage.span = span;
        if is_global {
            usage.is_global = true;
        } else {
            usage.is_nonlocal = true;
        }
    }

    fn delete(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.bind(*name);
                self.usage(*name).is_deleted = true;
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.delete(item)),
            _ => self.expr(target),
        }
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.bind(*name),
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.target(item)),
            ExprKind::Starred(inner) => self.target(inner),
            _ => self.expr(target),
        }
    }

    fn function(&mut self, function: &Function) {
        function.decorators.iter().for_each(|decorator| self.expr(decorator));
        for parameter in function.parameters.iter() {
            self.optional(parameter.default.as_ref());
            self.optional(parameter.annotation.as_ref());
        }
        self.optional(function.returns.as_ref());
        self.open(ScopeKind::Function, address(function));
        for parameter in function.parameters.iter() {
            let usage = self.usage(parameter.name);
            usage.is_bound = true;
            usage.is_parameter = true;
        }
        match &function.body {
            FunctionBody::Statements(body) => self.body(body),
            FunctionBody::Expression(value) => self.expr(value),
        }
        self.stack.pop();
    }

    fn class(&mut self, class: &Class) {
        class.decorators.iter().for_each(|decorator| self.expr(decorator));
        class.arguments.iter().for_each(|argument| self.expr(argument.value()));
        self.bind(class.name);
        let outer = self.private.replace(class.name);
        self.open(ScopeKind::Class, address(class));
        self.body(&class.body);
        self.stack.pop();
        self.private = outer;
    }

    fn comprehension(&mut self, comprehension: &Comprehension) {
        // The first iterable is evaluated outside.
        self.iterable(&comprehension.clauses[0].iterable);
        self.open(ScopeKind::Comprehension, address(comprehension));
        let usage = self.usage(Name::new(".0"));
        usage.is_bound = true;
        usage.is_parameter = true;
        for (index, clause) in comprehension.clauses.iter().enumerate() {
            if index > 0 {
                self.iterable(&clause.iterable);
            }
            self.target(&clause.target);
            clause.conditions.iter().for_each(|condition| self.expr(condition));
        }
        self.expr(&comprehension.element);
        self.optional(comprehension.value.as_ref());
        self.stack.pop();
    }

    fn iterable(&mut self, iterable: &Expr) {
        self.iterables += 1;
        self.expr(iterable);
        self.iterables -= 1;
    }

    /// `:=` binds in the nearest scope that is not a comprehension.
    fn named(&mut self, name: Name, span: Span) {
        if self.iterables > 0 {
            self.fail("assignment expression cannot be used in a comprehension iterable expression".into(), span);
            return;
        }
        let mut depth = self.stack.len() - 1;
        while depth > 0 && self.scopes.scopes[self.stack[depth]].kind == ScopeKind::Comprehension {
            depth -= 1;
        }
        if depth == self.stack.len() - 1 {
            self.bind(name);
            return;
        }
        let host = self.stack[depth];
        let host_kind = self.scopes.scopes[host].kind;
        if host_kind == ScopeKind::Class {
            self.fail("assignment expression within a comprehension cannot be used in a class body".into(), span);
            return;
        }
        let inner = self.stack.split_off(depth + 1);
        let mangled = mangle(self.private, name);
        if inner.iter().any(|&id| self.scopes.scopes[id].usage.get(&mangled).is_some_and(|usage| usage.is_bound)) {
            self.stack.extend(inner);
            let message = format!("assignment expression cannot rebind comprehension iteration variable '{name}'");
            let at_name = Span { end: span.start + name.text().len() as u32, ..span };
            self.fail(message, at_name);
            return;
        }
        self.bind(name);
        let is_host_global = host_kind == ScopeKind::Module || self.current().usage[&mangled].is_global;
        for id in inner {
            self.stack.push(id);
            let usage = self.usage(name);
            usage.span = span;
            if is_host_global {
                usage.is_global = true;
            } else {
                usage.is_nonlocal = true;
            }
        }
    }

    fn optional(&mut self, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Magic(_) => {}
            ExprKind::Name(name) => self.read(*name),
            ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Attribute(a, _) | ExprKind::Starred(a) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Subscript(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::And(items)
            | ExprKind::Or(items)
            | ExprKind::Tuple(items)
            | ExprKind::List(items)
            | ExprKind::Set(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Compare(left, rest) => {
                self.expr(left);
                rest.iter().for_each(|(_, right)| self.expr(right));
            }
            ExprKind::Call(callee, arguments) => {
                self.expr(callee);
                arguments.iter().map(Argument::value).for_each(|value| self.expr(value));
            }
            ExprKind::Slice(lower, upper, step) => {
                for part in [lower, upper, step] {
                    self.optional(part.as_deref());
                }
            }
            ExprKind::Conditional { test, body, orelse } => {
                self.expr(test);
                self.expr(body);
                self.expr(orelse);
            }
            ExprKind::Lambda(function) => self.function(function),
            ExprKind::Dict(items) => {
                for (key, value) in items {
                    self.optional(key.as_ref());
                    self.expr(value);
                }
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Named(name, value) => {
                self.expr(value);
                self.named(*name, expr.span);
            }
            ExprKind::Yield(value) => {
                self.generator("'yield'", expr.span);
                self.optional(value.as_deref());
            }
            ExprKind::YieldFrom(value) => {
                self.generator("'yield from'", expr.span);
                self.expr(value);
            }
            ExprKind::Formatted(parts) => self.format_parts(parts),
        }
    }

    fn generator(&mut self, word: &str, span: Span) {
        match self.current().kind {
            ScopeKind::Function => self.current().is_generator = true,
            ScopeKind::Comprehension => self.fail(format!("{word} inside list comprehension"), span),
            ScopeKind::Module | ScopeKind::Class => self.fail(format!("{word} outside function"), span),
        }
    }

    fn format_parts(&mut self, parts: &[FormatPart]) {
        for part in parts {
            if let FormatPart::Field { value, spec, .. } = part {
                self.expr(value);
                if let Some(spec) = spec {
                    self.format_parts(spec);
                }
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Value(value) => self.expr(value),
            PatternKind::Singleton(_) => {}
            PatternKind::Sequence(patterns) | PatternKind::Or(patterns) => {
                patterns.iter().for_each(|inner| self.pattern(inner));
            }
            PatternKind::Mapping { keys, patterns, rest } => {
                keys.iter().for_each(|key| self.expr(key));
                patterns.iter().for_each(|inner| self.pattern(inner));
                if let Some(name) = rest {
                    self.bind(*name);
                }
            }
            PatternKind::Class { class, positional, keywords } => {
                self.expr(class);
                positional.iter().for_each(|inner| self.pattern(inner));
                keywords.iter().for_each(|(_, inner)| self.pattern(inner));
            }
            PatternKind::Star(name) => {
                if let Some(name) = name {
                    self.bind(*name);
                }
            }
            PatternKind::As { pattern, name } => {
                if let Some(inner) = pattern {
                    self.pattern(inner);
                }
                if let Some(name) = name {
                    self.bind(*name);
                }
            }
        }
    }
}
