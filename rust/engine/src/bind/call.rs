//! Binding of function calls.

use parse::ast;
use value::{Collation, LobSize, SqlType, Value};

use super::Binder;
use super::expr::{arithmetic, case, day_as_text, is_truth, single_unit, value_in_json};
use super::literal::text_literal;
use crate::error::{Result, SqlError};
use crate::expr::{ArithmeticOp, Call, Case, CastKind, Expr, ExprKind, ExprType, coercibility, types};
use crate::functions::{self, Form, Function, Traits};

impl Binder<'_> {
    pub(super) fn function(&mut self, call: &ast::FunctionCall, span: ast::Span) -> Result<Expr> {
        let name = call.name.text.to_ascii_lowercase();
        let (function, aggregate) = (functions::scalar(&name), functions::aggregate(&name));
        if function.is_some_and(|known| known.is(Traits::INTERNAL))
            || aggregate.is_some_and(|known| known.is(Traits::INTERNAL))
        {
            return Err(not_found(&name).at(span));
        }
        if let Some(over) = &call.over {
            return self.window_call(&name, call, over, span);
        }
        if let Some(aggregate) = aggregate {
            return self.aggregate_call(aggregate, call, span);
        }
        if function.is_some_and(|known| known.form == Form::Grouping) {
            return self.grouping(call, span);
        }
        if call.distinct {
            return Err(SqlError::general(format!("function '{name}' takes no DISTINCT")));
        }
        let args = self.arguments(call)?;
        let function = function.ok_or_else(|| not_found(&name).at(span))?;
        self.called(function, call, args).map_err(|error| error.at(span))
    }

    /// An interval becomes two arguments: amount and unit. The character set of CHAR … USING is the last.
    fn arguments(&mut self, call: &ast::FunctionCall) -> Result<Vec<Expr>> {
        let mut args = Vec::new();
        for argument in &call.arguments {
            match &argument.kind {
                ast::ExprKind::Interval { value, unit } => {
                    args.extend([self.expr(value)?, single_unit(*unit, argument.span)?])
                }
                _ => args.push(self.expr(argument)?),
            }
        }
        args.extend(call.charset.as_ref().map(|charset| text_literal(charset)));
        Ok(args)
    }

    /// A call by the form of its function: those that are something else, those that see to their arguments, and all others.
    fn called(&mut self, function: &'static Function, call: &ast::FunctionCall, mut args: Vec<Expr>) -> Result<Expr> {
        match (function.form, args.len()) {
            (Form::Char, _) if call.charset.is_some() => self.call("char_using", args),
            (Form::If, 3) => Ok(if_else(args)),
            (Form::IfNull, _) => {
                members_as_numbers(&mut args);
                self.call_of(function, args)
            }
            (Form::Coalesce, _) => self.coalesce(args),
            (Form::JsonValue, 3) => {
                let named = args.pop().unwrap_or_else(Expr::null);
                let sql = json_value_type(&named)?;
                let call = self.call_of(function, args)?;
                Ok(Expr { ty: ExprType { sql, ..call.ty.clone() }, ..call })
            }
            (Form::JsonType, 1) => self.call_of(function, args.into_iter().map(moment_of_document).collect()),
            (Form::Modulo, 2) => {
                let right = args.pop().unwrap_or_else(Expr::null);
                let left = args.pop().unwrap_or_else(Expr::null);
                Ok(arithmetic(ArithmeticOp::Modulo, left, right))
            }
            (Form::Shift, _) if !call.arguments.iter().any(is_interval) => {
                let name = function.name.to_ascii_uppercase();
                Err(SqlError::general(format!("{name} expects an interval as second parameter")))
            }
            (Form::AddDays | Form::SubtractDays, 2 | 3) if call.arguments.len() == 2 => {
                if args.len() == 2 {
                    args.push(text_literal("day"));
                }
                self.call(if function.form == Form::AddDays { "date_add" } else { "date_sub" }, args)
            }
            _ => self.call_of(function, args),
        }
    }

    fn coalesce(&mut self, mut args: Vec<Expr>) -> Result<Expr> {
        members_as_numbers(&mut args);
        if args.iter().any(|arg| !arg.ty.sql.is_binary() && arg.ty.sql != SqlType::Null) {
            // Beside other types bytes must be text.
            for arg in args.iter_mut().filter(|arg| arg.ty.sql.is_binary()) {
                cast_in_place(arg, SqlType::LONGTEXT, CastKind::Assigned);
            }
        }
        let mut first_value = self.call("coalesce", args)?;
        // Arguments after a value that is never NULL only contribute to the type: they are not evaluated, not even by the rules of
        // grouping.
        if let ExprKind::Call(call) = &mut first_value.kind {
            let is_sure = |arg: &Expr| arg.as_literal().is_some_and(|value| !value.is_null());
            let sure = call.args.iter().position(is_sure);
            call.args.truncate(sure.map_or(usize::MAX, |last| last + 1));
        }
        Ok(first_value)
    }

    /// Text that a function makes meets others as the literals of the connection do.
    pub(super) fn in_connection(&self, ty: ExprType) -> ExprType {
        let made = ExprType::text();
        let is_made = ty.sql == made.sql && ty.preference() == made.preference();
        if is_made { ty.preferring((self.literal_collation(), coercibility::LITERAL)) } else { ty }
    }

    /// A scalar function by its name.
    pub(super) fn call(&mut self, name: &str, args: Vec<Expr>) -> Result<Expr> {
        self.call_of(functions::scalar(name).ok_or_else(|| not_found(name))?, args)
    }

    fn call_of(&mut self, function: &'static Function, args: Vec<Expr>) -> Result<Expr> {
        let name = function.name;
        if function.is(Traits::REFUSED) {
            return Err(SqlError::general(format!("unsupported JSON function: {name}")));
        }
        let (least, most) = function.arity;
        if function.is(Traits::IN_PAIRS) && !args.is_empty() && args.len() % 2 != least % 2 {
            let expected = match least {
                0 => format!("an even number of arguments, {}", args.len()),
                _ => format!("even number of path/val arguments, {}", args.len() - 1),
            };
            let text = format!("function '{}' expected {expected} received", name.to_ascii_uppercase());
            return Err(SqlError::general(text));
        }
        if args.len() < least || args.len() > most {
            let expected = match (least, most) {
                (least, most) if least == most => least.to_string(),
                (least, usize::MAX) => format!("{least} or more"),
                (least, most) => format!("{least} to {most}"),
            };
            let text = format!("function '{name}' expected {expected} arguments, {} received", args.len());
            return Err(SqlError::general(text));
        }
        // The reference's GREATEST and LEAST know no truth values; a column of TINYINT(1) holds numbers.
        let knows_null = args.iter().any(|arg| arg.ty.sql == SqlType::Null);
        if function.is(Traits::TAKES_NO_TRUTH) && !knows_null && args.iter().any(is_truth) {
            return Err(SqlError::general("unsupported type for greatest/least argument: bool"));
        }
        let wants_text = function.is(Traits::READS_TEXT)
            || function.is(Traits::READS_COMMON_TEXT) && types::common(args.iter().map(|arg| &arg.ty)).sql.is_text();
        let args = if wants_text { args.into_iter().map(day_as_text).collect() } else { args };
        let args = if function.is(Traits::OF_DOCUMENTS) { args.into_iter().map(value_in_json).collect() } else { args };
        let arg_types: Vec<ExprType> = args.iter().map(|arg| arg.ty.clone()).collect();
        let ty = function.type_of(&args);
        let ty = if function.is(Traits::GIVES_ARGUMENT) { ty } else { self.in_connection(ty) };
        let call = Call { function, args, collation: collation_of(&arg_types) };
        Ok(Expr::new(ExprKind::Call(Box::new(call)), ty))
    }
}

fn not_found(name: &str) -> SqlError {
    SqlError::general(format!("function: '{name}' not found"))
}

/// The collation that several arguments compare by: that of the strongest.
pub(super) fn collation_of(types: &[ExprType]) -> Collation {
    let texts = types.iter().filter(|ty| ty.sql.collation().is_some());
    texts
        .map(ExprType::preference)
        .reduce(types::resolve)
        .map_or(Collation::UTF8MB4_0900_BIN, |(strongest, _)| strongest)
}

/// A date or moment that is cast to a document, which has its text alone, as it is: JSON_TYPE names it.
fn moment_of_document(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Cast(inner, CastKind::Explicit)
            if expr.ty.sql == SqlType::Json
                && inner.ty.sql.is_date()
                && !matches!(inner.kind, ExprKind::Cast(_, CastKind::Implicit)) =>
        {
            let moment = Case { branches: Vec::new(), otherwise: Some(*inner) };
            Expr::new(ExprKind::Case(Box::new(moment)), expr.ty)
        }
        _ => expr,
    }
}

fn is_interval(argument: &ast::Expr) -> bool {
    matches!(argument.kind, ast::ExprKind::Interval { .. })
}

/// `IF(condition, value, otherwise)`.
fn if_else(mut args: Vec<Expr>) -> Expr {
    members_as_numbers(args.get_mut(1..).unwrap_or_default());
    let otherwise = args.pop();
    let value = args.pop().unwrap_or_else(Expr::null);
    let condition = args.pop().unwrap_or_else(Expr::null);
    let preference = value.ty.preference();
    let chosen = case(vec![(condition, value)], otherwise);
    Expr { ty: chosen.ty.clone().preferring(preference), ..chosen }
}

/// The type that the third argument of JSON_VALUE names.
fn json_value_type(named: &Expr) -> Result<SqlType> {
    let name = match named.as_literal() {
        Some(Value::Text(name)) => name.to_string(),
        _ => return Err(SqlError::general("invalid json_value coercion type")),
    };
    Ok(match &*name.to_ascii_lowercase() {
        "float" => SqlType::Float,
        "double" | "decimal" => SqlType::Double,
        "signed" => SqlType::BIGINT,
        "unsigned" => SqlType::BIGINT_UNSIGNED,
        "char" => SqlType::Text { size: LobSize::Regular, collation: Collation::UTF8MB4_0900_BIN },
        "json" => SqlType::Json,
        "time" => SqlType::Time,
        "datetime" => SqlType::DateTime { decimals: 0 },
        "date" => SqlType::Date,
        "year" => SqlType::Year,
        _ => return Err(SqlError::general(format!("invalid type for json_value: {name}"))),
    })
}

/// Where members of ENUM and SET occur with other types, IF, IFNULL and COALESCE take their numbers, as the reference does.
fn members_as_numbers(args: &mut [Expr]) {
    let is_member = SqlType::has_members;
    if is_member(&types::common(args.iter().map(|arg| &arg.ty)).sql) {
        return;
    }
    for arg in args.iter_mut().filter(|arg| is_member(&arg.ty.sql)) {
        cast_in_place(arg, SqlType::BIGINT_UNSIGNED, CastKind::Implicit);
    }
}

fn cast_in_place(expr: &mut Expr, sql: SqlType, kind: CastKind) {
    let ty = ExprType::new(sql, true);
    let inner = std::mem::replace(expr, Expr::null());
    *expr = Expr::new(ExprKind::Cast(Box::new(inner), kind), ty);
}
