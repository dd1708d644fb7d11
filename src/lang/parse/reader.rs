//! The parser's tree turned into [`tree`](crate::lang::tree).

use std::collections::HashSet;

use num_bigint::BigInt;

use super::{Parsing, Ranged, SyntaxProblem, TextRange, ast, span};
use crate::lang::builtins::number_text::{digit_limit, too_many_digits};
use crate::lang::code::Span;
use crate::lang::host::MagicCall;
use crate::lang::name::Name;
use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use crate::lang::tree::{
    Alias, Argument, Body, Case, Class, Clause, Comparison, Comprehension, ComprehensionKind, Constant, Expr, ExprKind,
    FormatPart, Function, FunctionBody, Handler, Parameter, Parameters, Pattern, PatternKind, Stmt, StmtKind, WithItem,
};

/// Nesting of the tree beyond which passes over it would risk the stack.
const DEPTH_MAX: usize = 6_000;

/// Turns the parser's tree into ours.
#[derive(Default)]
pub(super) struct Reader {
    depth: usize,
}

impl Reader {
    fn enter(&mut self, range: TextRange) -> Parsing<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(Box::new(SyntaxProblem::new(
                "too much nesting: an expression or block is nested too deeply to compile",
                span(range),
            )));
        }
        Ok(())
    }

    fn refuse<T>(&self, what: &str, range: TextRange) -> Parsing<T> {
        Err(Box::new(SyntaxProblem::new(format!("{what} is not supported"), span(range))))
    }

    pub(super) fn body(&mut self, statements: &[ast::Stmt]) -> Parsing<Body> {
        statements.iter().map(|statement| self.stmt(statement)).collect()
    }

    fn stmt(&mut self, statement: &ast::Stmt) -> Parsing<Stmt> {
        self.enter(statement.range())?;
        let kind = self.stmt_kind(statement)?;
        self.depth -= 1;
        Ok(Stmt { span: span(statement.range()), kind })
    }

    fn stmt_kind(&mut self, statement: &ast::Stmt) -> Parsing<StmtKind> {
        Ok(match statement {
            ast::Stmt::Expr(node) => StmtKind::Expression(self.expr(&node.value)?),
            ast::Stmt::Assign(node) => {
                let targets = node.targets.iter().map(|target| self.target(target)).collect::<Parsing<_>>()?;
                StmtKind::Assign { targets, value: self.expr(&node.value)? }
            }
            ast::Stmt::AugAssign(node) => StmtKind::AugmentedAssign {
                target: self.target(&node.target)?,
                op: binary_operator(node.op),
                value: self.expr(&node.value)?,
            },
            ast::Stmt::AnnAssign(node) => StmtKind::AnnotatedAssign {
                target: self.target(&node.target)?,
                annotation: self.expr(&node.annotation)?,
                value: self.optional(node.value.as_deref())?,
                simple: node.simple,
            },
            ast::Stmt::Return(node) => StmtKind::Return(self.optional(node.value.as_deref())?),
            ast::Stmt::Delete(node) => {
                StmtKind::Delete(node.targets.iter().map(|target| self.expr(target)).collect::<Parsing<_>>()?)
            }
            ast::Stmt::Pass(_) => StmtKind::Pass,
            ast::Stmt::Break(_) => StmtKind::Break,
            ast::Stmt::Continue(_) => StmtKind::Continue,
            ast::Stmt::If(node) => StmtKind::If {
                test: self.expr(&node.test)?,
                body: self.body(&node.body)?,
                orelse: self.elif(&node.elif_else_clauses)?,
            },
            ast::Stmt::While(node) => StmtKind::While {
                test: self.expr(&node.test)?,
                body: self.body(&node.body)?,
                orelse: self.body(&node.orelse)?,
            },
            ast::Stmt::For(node) => {
                if node.is_async {
                    return self.refuse("`async for`", node.range);
                }
                StmtKind::For {
                    target: self.target(&node.target)?,
                    iterable: self.expr(&node.iter)?,
                    body: self.body(&node.body)?,
                    orelse: self.body(&node.orelse)?,
                }
            }
            ast::Stmt::FunctionDef(node) => {
                if node.is_async {
                    return self.refuse("`async def`", node.range);
                }
                StmtKind::Function(Box::new(Function {
                    name: name(&node.name),
                    parameters: self.parameters(Some(&node.parameters))?,
                    decorators: self.decorators(&node.decorator_list)?,
                    returns: self.optional(node.returns.as_deref())?,
                    body: FunctionBody::Statements(self.body(&node.body)?),
                }))
            }
            ast::Stmt::ClassDef(node) => {
                let arguments = match &node.arguments {
                    Some(arguments) => self.arguments(arguments)?,
                    None => Vec::new(),
                };
                if let Some(argument) =
                    arguments.iter().find(|a| matches!(a, Argument::Keyword(n, _) if n.text() == "metaclass"))
                {
                    let at = argument.value().span;
                    let start = at.start.saturating_sub("metaclass=".len() as u32);
                    return Err(Box::new(SyntaxProblem::new(
                        "`metaclass=` is not supported",
                        Span { start, end: at.end },
                    )));
                }
                StmtKind::Class(Box::new(Class {
                    name: name(&node.name),
                    decorators: self.decorators(&node.decorator_list)?,
                    arguments,
                    body: self.body(&node.body)?,
                }))
            }
            ast::Stmt::Try(node) => StmtKind::Try {
                body: self.body(&node.body)?,
                handlers: node.handlers.iter().map(|handler| self.handler(handler)).collect::<Parsing<_>>()?,
                is_star: node.is_star,
                orelse: self.body(&node.orelse)?,
                finalbody: self.body(&node.finalbody)?,
            },
            ast::Stmt::With(node) => {
                if node.is_async {
                    return self.refuse("`async with`", node.range);
                }
                let mut items = Vec::with_capacity(node.items.len());
                for item in &node.items {
                    let context = self.expr(&item.context_expr)?;
                    let target = match &item.optional_vars {
                        Some(target) => Some(self.target(target)?),
                        None => None,
                    };
                    items.push(WithItem { context, target });
                }
                StmtKind::With { items, body: self.body(&node.body)? }
            }
            ast::Stmt::Raise(node) => StmtKind::Raise {
                exception: self.optional(node.exc.as_deref())?,
                cause: self.optional(node.cause.as_deref())?,
            },
            ast::Stmt::Assert(node) => {
                StmtKind::Assert { test: self.expr(&node.test)?, message: self.optional(node.msg.as_deref())? }
            }
            ast::Stmt::Import(node) => StmtKind::Import(node.names.iter().map(alias).collect()),
            ast::Stmt::ImportFrom(node) => StmtKind::ImportFrom {
                module: node.module.as_ref().map(name),
                level: node.level,
                names: node.names.iter().map(alias).collect(),
            },
            ast::Stmt::Global(node) => StmtKind::Global(node.names.iter().map(name).collect()),
            ast::Stmt::Nonlocal(node) => StmtKind::Nonlocal(node.names.iter().map(name).collect()),
            ast::Stmt::Match(node) => {
                let subject = self.expr(&node.subject)?;
                let mut cases = Vec::with_capacity(node.cases.len());
                for case in &node.cases {
                    cases.push(Case {
                        pattern: self.pattern(&case.pattern)?,
                        guard: self.optional(case.guard.as_deref())?,
                        body: self.body(&case.body)?,
                    });
                }
                StmtKind::Match { subject, cases }
            }
            ast::Stmt::TypeAlias(node) => return self.refuse("the `type` statement", node.range),
            ast::Stmt::IpyEscapeCommand(node) => {
                StmtKind::Expression(self.magic(node.kind, &node.value, node.range)?)
            }
        })
    }

    fn elif(&mut self, clauses: &[ast::ElifElseClause]) -> Parsing<Body> {
        // Built from the last clause back, so that a long chain is a loop here and not a recursion.
        let mut orelse: Body = Vec::new();
        for clause in clauses.iter().rev() {
            let body = self.body(&clause.body)?;
            orelse = match &clause.test {
                Some(test) => {
                    let kind = StmtKind::If { test: self.expr(test)?, body, orelse };
                    vec![Stmt { span: span(clause.range), kind }]
                }
                None => body,
            };
        }
        Ok(orelse)
    }

    fn handler(&mut self, handler: &ast::ExceptHandler) -> Parsing<Handler> {
        let ast::ExceptHandler::ExceptHandler(node) = handler;
        Ok(Handler {
            span: span(node.range),
            class: self.optional(node.type_.as_deref())?,
            name: node.name.as_ref().map(name),
            body: self.body(&node.body)?,
        })
    }

    fn decorators(&mut self, decorators: &[ast::Decorator]) -> Parsing<Vec<Expr>> {
        decorators.iter().map(|decorator| self.expr(&decorator.expression)).collect()
    }

    fn parameters(&mut self, parameters: Option<&ast::Parameters>) -> Parsing<Parameters> {
        let Some(parameters) = parameters else { return Ok(Parameters::default()) };
        let mut list = |items: &[ast::ParameterWithDefault]| -> Parsing<Vec<Parameter>> {
            items.iter().map(|item| self.parameter(&item.parameter, item.default.as_deref())).collect()
        };
        let positional_only = list(&parameters.posonlyargs)?;
        let positional = list(&parameters.args)?;
        let keyword_only = list(&parameters.kwonlyargs)?;
        let mut variadic = |item: &Option<Box<ast::Parameter>>| match item {
            Some(item) => self.parameter(item, None).map(Some),
            None => Ok(None),
        };
        let (var_positional, var_keyword) = (variadic(&parameters.vararg)?, variadic(&parameters.kwarg)?);
        let result = Parameters { positional_only, positional, var_positional, keyword_only, var_keyword };
        let mut seen = HashSet::new();
        for parameter in result.iter() {
            if !seen.insert(parameter.name) {
                let message = format!("duplicate argument '{}' in function definition", parameter.name);
                return Err(Box::new(SyntaxProblem::new(message, parameter.span)));
            }
        }
        Ok(result)
    }

    fn parameter(&mut self, node: &ast::Parameter, default: Option<&ast::Expr>) -> Parsing<Parameter> {
        Ok(Parameter {
            name: name(&node.name),
            span: span(node.range),
            annotation: self.optional(node.annotation.as_deref())?,
            default: self.optional(default)?,
        })
    }

    fn arguments(&mut self, arguments: &ast::Arguments) -> Parsing<Vec<Argument>> {
        let mut list = Vec::with_capacity(arguments.args.len() + arguments.keywords.len());
        let mut seen = HashSet::new();
        for argument in arguments.iter_source_order() {
            list.push(match argument {
                ast::ArgOrKeyword::Arg(ast::Expr::Starred(starred)) => Argument::Star(self.expr(&starred.value)?),
                ast::ArgOrKeyword::Arg(value) => Argument::Positional(self.expr(value)?),
                ast::ArgOrKeyword::Keyword(keyword) => {
                    let value = self.expr(&keyword.value)?;
                    match &keyword.arg {
                        Some(identifier) => {
                            if !seen.insert(identifier.as_str()) {
                                let message = format!("keyword argument repeated: {}", identifier.as_str());
                                return Err(Box::new(SyntaxProblem::new(message, span(keyword.range))));
                            }
                            Argument::Keyword(name(identifier), value)
                        }
                        None => Argument::DoubleStar(value),
                    }
                }
            });
        }
        Ok(list)
    }

    /// An assignment target; only shapes that Python allows reach the compiler.
    fn target(&mut self, target: &ast::Expr) -> Parsing<Expr> {
        self.expr(target)
    }

    fn optional(&mut self, expr: Option<&ast::Expr>) -> Parsing<Option<Expr>> {
        expr.map(|expr| self.expr(expr)).transpose()
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Parsing<Box<Expr>> {
        Ok(Box::new(self.expr(expr)?))
    }

    fn boxed_optional(&mut self, expr: Option<&ast::Expr>) -> Parsing<Option<Box<Expr>>> {
        Ok(self.optional(expr)?.map(Box::new))
    }

    fn list(&mut self, items: &[ast::Expr]) -> Parsing<Vec<Expr>> {
        items.iter().map(|item| self.expr(item)).collect()
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Parsing<Expr> {
        self.enter(expr.range())?;
        let kind = self.expr_kind(expr)?;
        self.depth -= 1;
        Ok(Expr { span: span(expr.range()), kind })
    }

    fn expr_kind(&mut self, expr: &ast::Expr) -> Parsing<ExprKind> {
        Ok(match expr {
            ast::Expr::Name(node) => ExprKind::Name(Name::new(node.id.as_str())),
            ast::Expr::NumberLiteral(node) => ExprKind::Constant(number(node)?),
            ast::Expr::StringLiteral(node) => ExprKind::Constant(Constant::Str(node.value.to_str().into())),
            ast::Expr::BytesLiteral(node) => {
                ExprKind::Constant(Constant::Bytes(node.value.bytes().collect::<Vec<u8>>().into()))
            }
            ast::Expr::BooleanLiteral(node) => ExprKind::Constant(Constant::Bool(node.value)),
            ast::Expr::NoneLiteral(_) => ExprKind::Constant(Constant::None),
            ast::Expr::EllipsisLiteral(_) => ExprKind::Constant(Constant::Ellipsis),
            ast::Expr::BoolOp(node) => {
                let values = self.list(&node.values)?;
                match node.op {
                    ast::BoolOp::And => ExprKind::And(values),
                    ast::BoolOp::Or => ExprKind::Or(values),
                }
            }
            ast::Expr::Named(node) => {
                let ast::Expr::Name(target) = &*node.target else {
                    return self.refuse("an assignment expression to this target", node.range);
                };
                ExprKind::Named(Name::new(target.id.as_str()), self.boxed(&node.value)?)
            }
            ast::Expr::BinOp(node) => {
                ExprKind::Binary(binary_operator(node.op), self.boxed(&node.left)?, self.boxed(&node.right)?)
            }
            ast::Expr::UnaryOp(node) => {
                let operand = self.boxed(&node.operand)?;
                match node.op {
                    ast::UnaryOp::Not => ExprKind::Not(operand),
                    ast::UnaryOp::USub => ExprKind::Unary(UnaryOperator::Negative, operand),
                    ast::UnaryOp::UAdd => ExprKind::Unary(UnaryOperator::Positive, operand),
                    ast::UnaryOp::Invert => ExprKind::Unary(UnaryOperator::Invert, operand),
                }
            }
            ast::Expr::Lambda(node) => ExprKind::Lambda(Box::new(Function {
                name: Name::new("<lambda>"),
                parameters: self.parameters(node.parameters.as_deref())?,
                decorators: Vec::new(),
                returns: None,
                body: FunctionBody::Expression(self.expr(&node.body)?),
            })),
            ast::Expr::If(node) => ExprKind::Conditional {
                test: self.boxed(&node.test)?,
                body: self.boxed(&node.body)?,
                orelse: self.boxed(&node.orelse)?,
            },
            ast::Expr::Dict(node) => {
                let mut items = Vec::with_capacity(node.items.len());
                for item in &node.items {
                    items.push((self.optional(item.key.as_ref())?, self.expr(&item.value)?));
                }
                ExprKind::Dict(items)
            }
            ast::Expr::Set(node) => ExprKind::Set(self.list(&node.elts)?),
            ast::Expr::List(node) => ExprKind::List(self.list(&node.elts)?),
            ast::Expr::Tuple(node) => ExprKind::Tuple(self.list(&node.elts)?),
            ast::Expr::ListComp(node) => {
                self.comprehension(ComprehensionKind::List, &node.elt, None, &node.generators)?
            }
            ast::Expr::SetComp(node) => {
                self.comprehension(ComprehensionKind::Set, &node.elt, None, &node.generators)?
            }
            ast::Expr::DictComp(node) => {
                let Some(key) = &node.key else {
                    return self.refuse("dictionary unpacking in a comprehension", node.range);
                };
                self.comprehension(ComprehensionKind::Dict, key, Some(&node.value), &node.generators)?
            }
            ast::Expr::Generator(node) => {
                self.comprehension(ComprehensionKind::Generator, &node.elt, None, &node.generators)?
            }
            ast::Expr::Await(node) => return self.refuse("`await`", node.range),
            ast::Expr::Yield(node) => ExprKind::Yield(self.boxed_optional(node.value.as_deref())?),
            ast::Expr::YieldFrom(node) => ExprKind::YieldFrom(self.boxed(&node.value)?),
            ast::Expr::Compare(node) => {
                let left = self.boxed(&node.left)?;
                let mut rest = Vec::with_capacity(node.ops.len());
                for (op, right) in node.ops.iter().zip(&node.comparators) {
                    rest.push((comparison(*op), self.expr(right)?));
                }
                ExprKind::Compare(left, rest)
            }
            ast::Expr::Call(node) => ExprKind::Call(self.boxed(&node.func)?, self.arguments(&node.arguments)?),
            ast::Expr::FString(node) => self.f_string(node)?,
            ast::Expr::TString(node) => return self.refuse("a template string", node.range),
            ast::Expr::Attribute(node) => ExprKind::Attribute(self.boxed(&node.value)?, name(&node.attr)),
            ast::Expr::Subscript(node) => ExprKind::Subscript(self.boxed(&node.value)?, self.boxed(&node.slice)?),
            ast::Expr::Starred(node) => ExprKind::Starred(self.boxed(&node.value)?),
            ast::Expr::Slice(node) => ExprKind::Slice(
                self.boxed_optional(node.lower.as_deref())?,
                self.boxed_optional(node.upper.as_deref())?,
                self.boxed_optional(node.step.as_deref())?,
            ),
            ast::Expr::IpyEscapeCommand(node) => return Ok(self.magic(node.kind, &node.value, node.range)?.kind),
        })
    }

    fn comprehension(
        &mut self,
        kind: ComprehensionKind,
        element: &ast::Expr,
        value: Option<&ast::Expr>,
        generators: &[ast::Comprehension],
    ) -> Parsing<ExprKind> {
        let mut clauses = Vec::with_capacity(generators.len());
        for generator in generators {
            if generator.is_async {
                return self.refuse("an asynchronous comprehension", generator.range);
            }
            clauses.push(Clause {
                target: self.target(&generator.target)?,
                iterable: self.expr(&generator.iter)?,
                conditions: self.list(&generator.ifs)?,
            });
        }
        let element = self.expr(element)?;
        let value = self.optional(value)?;
        Ok(ExprKind::Comprehension(Box::new(Comprehension { kind, element, value, clauses })))
    }

    fn f_string(&mut self, node: &ast::ExprFString) -> Parsing<ExprKind> {
        let mut parts = Vec::new();
        for part in node.value.iter() {
            match part {
                ast::FStringPart::Literal(literal) => push_literal(&mut parts, literal.as_str()),
                ast::FStringPart::FString(f_string) => {
                    self.format_parts(&mut f_string.elements.into_iter(), &mut parts)?;
                }
            }
        }
        Ok(ExprKind::Formatted(parts))
    }

    fn format_parts(
        &mut self,
        elements: &mut dyn Iterator<Item = &ast::InterpolatedStringElement>,
        parts: &mut Vec<FormatPart>,
    ) -> Parsing<()> {
        for element in elements {
            match element {
                ast::InterpolatedStringElement::Literal(literal) => push_literal(parts, &literal.value),
                ast::InterpolatedStringElement::Interpolation(field) => {
                    let value = self.expr(&field.expression)?;
                    let mut conversion = field.conversion.to_char();
                    if let Some(debug) = &field.debug_text {
                        push_literal(parts, debug.as_str());
                        // `{x=}` shows the repr unless a format or conversion says otherwise.
                        if conversion.is_none() && field.format_spec.is_none() {
                            conversion = Some('r');
                        }
                    }
                    let spec = match &field.format_spec {
                        Some(spec) => {
                            let mut inner = Vec::new();
                            self.format_parts(&mut spec.elements.into_iter(), &mut inner)?;
                            Some(inner)
                        }
                        None => None,
                    };
                    parts.push(FormatPart::Field { value, conversion, spec });
                }
            }
        }
        Ok(())
    }

    fn magic(&self, kind: ast::IpyEscapeKind, value: &str, range: TextRange) -> Parsing<Expr> {
        let value = value.trim();
        let magic = match kind {
            ast::IpyEscapeKind::Magic => {
                let end = value.find(char::is_whitespace).unwrap_or(value.len());
                MagicCall { name: value[..end].to_owned(), line: value[end..].trim().to_owned(), body: None }
            }
            ast::IpyEscapeKind::Help => MagicCall { name: "pinfo".into(), line: value.to_owned(), body: None },
            ast::IpyEscapeKind::Help2 => MagicCall { name: "pinfo2".into(), line: value.to_owned(), body: None },
            ast::IpyEscapeKind::Magic2 => {
                return Err(Box::new(SyntaxProblem::new(
                    format!("`%%{value}` is a cell magic and may only stand on the first line of a cell"),
                    span(range),
                )));
            }
            ast::IpyEscapeKind::Shell | ast::IpyEscapeKind::ShCap => {
                return self.refuse("`!`, running a shell command,", range);
            }
            ast::IpyEscapeKind::Quote | ast::IpyEscapeKind::Quote2 | ast::IpyEscapeKind::Paren => {
                return self.refuse("calling without parentheses (`,`, `;` or `/` at the start of a line)", range);
            }
        };
        Ok(Expr { span: span(range), kind: ExprKind::Magic(Box::new(magic)) })
    }

    fn pattern(&mut self, pattern: &ast::Pattern) -> Parsing<Pattern> {
        self.enter(pattern.range())?;
        let kind = self.pattern_kind(pattern)?;
        self.depth -= 1;
        Ok(Pattern { span: span(pattern.range()), kind })
    }

    fn patterns(&mut self, patterns: &[ast::Pattern]) -> Parsing<Vec<Pattern>> {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    fn pattern_kind(&mut self, pattern: &ast::Pattern) -> Parsing<PatternKind> {
        Ok(match pattern {
            ast::Pattern::MatchValue(node) => PatternKind::Value(self.expr(&node.value)?),
            ast::Pattern::MatchSingleton(node) => PatternKind::Singleton(match node.value {
                ast::Singleton::None => Constant::None,
                ast::Singleton::True => Constant::Bool(true),
                ast::Singleton::False => Constant::Bool(false),
            }),
            ast::Pattern::MatchSequence(node) => PatternKind::Sequence(self.patterns(&node.patterns)?),
            ast::Pattern::MatchMapping(node) => PatternKind::Mapping {
                keys: self.list(&node.keys)?,
                patterns: self.patterns(&node.patterns)?,
                rest: node.rest.as_ref().map(name),
            },
            ast::Pattern::MatchClass(node) => {
                let mut keywords = Vec::with_capacity(node.arguments.keywords.len());
                for keyword in &node.arguments.keywords {
                    keywords.push((name(&keyword.attr), self.pattern(&keyword.pattern)?));
                }
                PatternKind::Class {
                    class: self.expr(&node.cls)?,
                    positional: self.patterns(&node.arguments.patterns)?,
                    keywords,
                }
            }
            ast::Pattern::MatchStar(node) => PatternKind::Star(node.name.as_ref().map(name)),
            ast::Pattern::MatchAs(node) => PatternKind::As {
                pattern: node.pattern.as_deref().map(|inner| self.pattern(inner)).transpose()?.map(Box::new),
                name: node.name.as_ref().map(name),
            },
            ast::Pattern::MatchOr(node) => PatternKind::Or(self.patterns(&node.patterns)?),
        })
    }
}

fn name(identifier: &ast::Identifier) -> Name {
    Name::new(identifier.as_str())
}

fn push_literal(parts: &mut Vec<FormatPart>, text: &str) {
    if text.is_empty() {
        return;
    }
    if let Some(FormatPart::Literal(last)) = parts.last_mut() {
        *last = format!("{last}{text}").into();
    } else {
        parts.push(FormatPart::Literal(text.into()));
    }
}

fn alias(node: &ast::Alias) -> Alias {
    Alias { name: name(&node.name), bound: node.asname.as_ref().map(name) }
}

fn number(node: &ast::ExprNumberLiteral) -> Parsing<Constant> {
    Ok(match &node.value {
        ast::Number::Int(int) => match int.as_i64() {
            Some(small) => Constant::Int(small),
            None => Constant::Big(
                big_integer(&int.to_string())
                    .map_err(|message| Box::new(SyntaxProblem::new(message, span(node.range))))?,
            ),
        },
        ast::Number::Float(float) => Constant::Float(*float),
        ast::Number::Complex { imag, .. } => Constant::Imaginary(*imag),
    })
}

/// A literal beyond 64 bits, whose text the parser keeps with its radix prefix; the message when it has too many decimal digits,
/// whose conversion takes time that grows with their square.
fn big_integer(text: &str) -> Result<BigInt, String> {
    let lower = text.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0o") => (&lower[2..], 8),
        Some("0b") => (&lower[2..], 2),
        _ => (&lower[..], 10),
    };
    let limit = digit_limit();
    if radix == 10 && limit > 0 && digits.len() > limit {
        return Err(format!(
            "{} - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
            too_many_digits(limit, digits.len())
        ));
    }
    Ok(BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default())
}

fn binary_operator(op: ast::Operator) -> BinaryOperator {
    match op {
        ast::Operator::Add => BinaryOperator::Add,
        ast::Operator::Sub => BinaryOperator::Subtract,
        ast::Operator::Mult => BinaryOperator::Multiply,
        ast::Operator::MatMult => BinaryOperator::MatrixMultiply,
        ast::Operator::Div => BinaryOperator::TrueDivide,
        ast::Operator::Mod => BinaryOperator::Modulo,
        ast::Operator::Pow => BinaryOperator::Power,
        ast::Operator::LShift => BinaryOperator::ShiftLeft,
        ast::Operator::RShift => BinaryOperator::ShiftRight,
        ast::Operator::BitOr => BinaryOperator::Or,
        ast::Operator::BitXor => BinaryOperator::Xor,
        ast::Operator::BitAnd => BinaryOperator::And,
        ast::Operator::FloorDiv => BinaryOperator::FloorDivide,
    }
}

fn comparison(op: ast::CmpOp) -> Comparison {
    match op {
        ast::CmpOp::Eq => Comparison::Rich(CompareOperator::Equal),
        ast::CmpOp::NotEq => Comparison::Rich(CompareOperator::NotEqual),
        ast::CmpOp::Lt => Comparison::Rich(CompareOperator::Less),
        ast::CmpOp::LtE => Comparison::Rich(CompareOperator::LessEqual),
        ast::CmpOp::Gt => Comparison::Rich(CompareOperator::Greater),
        ast::CmpOp::GtE => Comparison::Rich(CompareOperator::GreaterEqual),
        ast::CmpOp::Is => Comparison::Is,
        ast::CmpOp::IsNot => Comparison::IsNot,
        ast::CmpOp::In => Comparison::In,
        ast::CmpOp::NotIn => Comparison::NotIn,
    }
}
