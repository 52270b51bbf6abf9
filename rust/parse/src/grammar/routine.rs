//! Procedures, triggers, events, views (which share DEFINER), and the statements of bodies.

use std::rc::Rc;

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::error::ParseError;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    /// CREATE of anything.
    #[inline(never)]
    pub(crate) fn create(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let or_replace = self.eat_words(&[K::Or, K::Replace]);
        let header = self.view_header(or_replace)?;
        if or_replace && !self.at_any(&[K::View, K::Spatial]) {
            return Err(self.unexpected());
        }
        if self.at_any(&[K::Table, K::Temporary]) {
            let temporary = self.eat_word(K::Temporary);
            return self.create_table(temporary);
        }
        if self.at_any(&[K::Index, K::Unique, K::Fulltext, K::Vector])
            || (self.at_word(K::Spatial) && self.peek() != T::Word(K::Reference))
        {
            return self.create_index();
        }
        self.at_any(&[K::Database, K::Schema, K::View, K::Trigger, K::Procedure, K::Event, K::User, K::Role]);
        match self.token.kind {
            T::Word(K::Database | K::Schema) => self.create_database(),
            T::Word(K::View) => self.create_view(header),
            T::Word(K::Trigger) => self.create_trigger(header.definer),
            T::Word(K::Procedure) => self.create_procedure(header.definer),
            T::Word(K::Event) => self.create_event(header.definer),
            T::Word(K::Function) => Err(self.stored_function("CREATE FUNCTION")),
            T::Word(K::User) => self.account_statement(AccountStatement::CreateUser),
            T::Word(K::Role) => self.account_statement(AccountStatement::CreateRole),
            T::Word(K::Spatial) => {
                self.expect_words(&[K::Spatial, K::Reference, K::System])?;
                self.skip_to_end()?;
                Ok(StatementKind::CreateSpatialReferenceSystem)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// The error of a statement about a stored function, which Dolt does not have: it names the function, so that those who import a dump
    /// can list what was left out.
    #[cold]
    pub(crate) fn stored_function(&mut self, statement: &str) -> Box<ParseError> {
        let word = self.advance().span;
        self.if_not_exists();
        match self.object_name(NameKind::New) {
            Ok(name) => {
                let what = format!("stored functions ({statement} {})", name.name.text);
                Box::new(ParseError::Unsupported { span: word, what: what.into() })
            }
            Err(error) => error,
        }
    }

    /// ALGORITHM, DEFINER and SQL SECURITY.
    pub(crate) fn view_header(&mut self, or_replace: bool) -> Parsing<ViewHeader> {
        let algorithm = if self.eat_word(K::Algorithm) {
            self.skip_equal();
            Some(self.name(NameKind::New)?)
        } else {
            None
        };
        let definer = self.definer()?;
        let invoker = self.sql_security()?;
        Ok(ViewHeader { or_replace, algorithm, definer, invoker })
    }

    /// ALTER VIEW, from the word VIEW on: the query is kept, and must be one that Dolt reads.
    #[inline(never)]
    pub(crate) fn alter_view(&mut self, header: ViewHeader) -> Parsing<StatementKind> {
        let word = self.token.span;
        let StatementKind::CreateView(view) = self.create_view(header)? else { return Err(self.unexpected()) };
        if let Some(error) = self.beyond_dolt.first() {
            return Err(Box::new(error.clone()));
        }
        self.beyond(word);
        Ok(StatementKind::AlterView(view))
    }

    /// `DEFINER = user`.
    pub(crate) fn definer(&mut self) -> Parsing<Option<Account>> {
        if !self.eat_word(K::Definer) {
            return Ok(None);
        }
        self.expect(T::Equal)?;
        self.account().map(Some)
    }

    /// `SQL SECURITY INVOKER` is true.
    fn sql_security(&mut self) -> Parsing<bool> {
        if !self.eat_word(K::Sql) {
            return Ok(false);
        }
        self.expect_word(K::Security)?;
        if self.eat_word(K::Invoker) {
            return Ok(true);
        }
        self.expect_word(K::Definer)?;
        Ok(false)
    }

    #[inline(never)]
    fn create_view(&mut self, header: ViewHeader) -> Parsing<StatementKind> {
        self.advance();
        let if_not_exists = self.if_not_exists();
        let name = self.object_name(NameKind::New)?;
        let columns = if self.at(T::LeftParen) { self.column_list()? } else { Vec::new() };
        self.expect_word(K::As)?;
        let start = self.start();
        let in_version_comment = self.is_in_version_comment();
        let query = Rc::new(self.kept_query()?);
        if query.into.is_some() {
            return Err(self.unsupported(query.span, "INTO in a view"));
        }
        let check_option = if self.eat_word(K::With) {
            let local = self.eat_word(K::Local);
            if !local {
                self.eat_word(K::Cascaded);
            }
            self.expect_words(&[K::Check, K::Option])?;
            Some(if local { CheckOption::Local } else { CheckOption::Cascaded })
        } else {
            None
        };
        // Up to the `;` or the end; the end token starts behind trailing comments. `/*! … AS SELECT 1 */`: without its end.
        let end = if in_version_comment { self.since(start).end } else { self.start() };
        let text = Span::new(start, end).text(self.sql).trim_end();
        let definition = Span::new(start, start + text.len() as u32);
        let ViewHeader { or_replace, algorithm, definer, invoker } = header;
        Ok(StatementKind::CreateView(Box::new(CreateView {
            or_replace,
            if_not_exists,
            algorithm,
            definer,
            invoker,
            name,
            columns,
            query,
            definition,
            check_option,
        })))
    }

    #[inline(never)]
    fn create_trigger(&mut self, definer: Option<Account>) -> Parsing<StatementKind> {
        self.advance();
        let if_not_exists = self.if_not_exists();
        self.note_new_name(false);
        let name = self.object_name(NameKind::New)?;
        let time = if self.eat_word(K::Before) {
            TriggerTime::Before
        } else {
            self.expect_word(K::After)?;
            TriggerTime::After
        };
        let event = if self.eat_word(K::Insert) {
            TriggerEvent::Insert
        } else if self.eat_word(K::Update) {
            TriggerEvent::Update
        } else {
            self.expect_word(K::Delete)?;
            TriggerEvent::Delete
        };
        self.expect_word(K::On)?;
        let table = self.object_name(NameKind::Table)?;
        self.expect_words(&[K::For, K::Each, K::Row])?;
        let order = if self.at_any(&[K::Follows, K::Precedes]) {
            let follows = self.at_word(K::Follows);
            self.advance();
            Some(TriggerOrder { follows, other: self.name(NameKind::Trigger)? })
        } else {
            None
        };
        let body = self.body()?;
        let trigger = CreateTrigger { if_not_exists, definer, name, time, event, table, order, body };
        Ok(StatementKind::CreateTrigger(Box::new(trigger)))
    }

    #[inline(never)]
    fn create_procedure(&mut self, definer: Option<Account>) -> Parsing<StatementKind> {
        self.advance();
        let if_not_exists = self.if_not_exists();
        self.note_new_name(false);
        let name = self.object_name(NameKind::New)?;
        self.expect(T::LeftParen)?;
        let parameters =
            if self.at(T::RightParen) { Vec::new() } else { self.comma_list(|parser| parser.procedure_parameter())? };
        self.expect(T::RightParen)?;
        let mut characteristics = Vec::new();
        while let Some(characteristic) = self.characteristic()? {
            characteristics.push(characteristic);
        }
        let body = self.body()?;
        let procedure = CreateProcedure { if_not_exists, definer, name, parameters, characteristics, body };
        Ok(StatementKind::CreateProcedure(Box::new(procedure)))
    }

    fn procedure_parameter(&mut self) -> Parsing<ProcedureParameter> {
        let start = self.start();
        let mode = if self.eat_word(K::Out) {
            ParameterMode::Out
        } else if self.eat_word(K::Inout) {
            ParameterMode::InOut
        } else {
            self.eat_word(K::In);
            ParameterMode::In
        };
        let name = self.new_name(false)?;
        let data_type = self.data_type()?;
        Ok(ProcedureParameter { mode, name, data_type, span: self.since(start) })
    }

    fn characteristic(&mut self) -> Parsing<Option<Characteristic>> {
        Ok(Some(if self.eat_word(K::Comment) {
            Characteristic::Comment(self.text_value()?)
        } else if self.eat_words(&[K::Language, K::Sql]) {
            Characteristic::LanguageSql
        } else if self.eat_word(K::Deterministic) {
            Characteristic::Deterministic(true)
        } else if self.eat_words(&[K::Not, K::Deterministic]) {
            Characteristic::Deterministic(false)
        } else if self.eat_words(&[K::Contains, K::Sql]) {
            Characteristic::ContainsSql
        } else if self.eat_words(&[K::No, K::Sql]) {
            Characteristic::NoSql
        } else if self.eat_words(&[K::Reads, K::Sql, K::Data]) {
            Characteristic::ReadsSqlData
        } else if self.eat_words(&[K::Modifies, K::Sql, K::Data]) {
            Characteristic::ModifiesSqlData
        } else if self.at_word(K::Sql) {
            if self.sql_security()? { Characteristic::SecurityInvoker } else { Characteristic::SecurityDefiner }
        } else {
            return Ok(None);
        }))
    }

    #[inline(never)]
    fn create_event(&mut self, definer: Option<Account>) -> Parsing<StatementKind> {
        self.advance();
        let if_not_exists = self.if_not_exists();
        self.note_new_name(false);
        let name = self.object_name(NameKind::New)?;
        self.expect_words(&[K::On, K::Schedule])?;
        let schedule = self.schedule()?;
        let preserve = self.on_completion()?;
        let status = self.event_status()?;
        let comment = if self.eat_word(K::Comment) { Some(self.text_value()?) } else { None };
        self.expect_word(K::Do)?;
        let body = self.body()?;
        let event = CreateEvent { if_not_exists, definer, name, schedule, preserve, status, comment, body };
        Ok(StatementKind::CreateEvent(Box::new(event)))
    }

    /// ALTER EVENT, from the word EVENT on.
    #[inline(never)]
    pub(crate) fn alter_event(&mut self, definer: Option<Account>) -> Parsing<StatementKind> {
        self.advance();
        let name = self.object_name(NameKind::Event)?;
        // There must be something to alter.
        if self.at(T::End) || self.at(T::Semicolon) {
            return Err(self.unexpected());
        }
        let schedule = if self.eat_words(&[K::On, K::Schedule]) { Some(self.schedule()?) } else { None };
        let preserve = self.on_completion()?;
        let rename_to = if self.eat_words(&[K::Rename, K::To]) { Some(self.object_name(NameKind::New)?) } else { None };
        let status = self.event_status()?;
        let comment = if self.eat_word(K::Comment) { Some(self.text_value()?) } else { None };
        let body = if self.eat_word(K::Do) { Some(self.body()?) } else { None };
        let event = AlterEvent { definer, name, schedule, preserve, rename_to, status, comment, body };
        Ok(StatementKind::AlterEvent(Box::new(event)))
    }

    #[inline(never)]
    fn schedule(&mut self) -> Parsing<EventSchedule> {
        if self.eat_word(K::At) {
            return self.expression().map(EventSchedule::At);
        }
        self.expect_word(K::Every)?;
        let start = self.start();
        let value = Box::new(self.expression_at(crate::grammar::expr::power::UNARY)?);
        let unit = self.interval_unit()?;
        let every = Expr { kind: ExprKind::Interval { value, unit }, span: self.since(start) };
        let starts = if self.eat_word(K::Starts) { Some(self.expression()?) } else { None };
        let ends = if self.eat_word(K::Ends) { Some(self.expression()?) } else { None };
        Ok(EventSchedule::Every { every, starts, ends })
    }

    fn on_completion(&mut self) -> Parsing<Option<bool>> {
        if !self.eat_words(&[K::On, K::Completion]) {
            return Ok(None);
        }
        let not = self.eat_word(K::Not);
        self.expect_word(K::Preserve)?;
        Ok(Some(!not))
    }

    fn event_status(&mut self) -> Parsing<Option<EventStatus>> {
        if self.eat_word(K::Enable) {
            return Ok(Some(EventStatus::Enable));
        }
        if !self.eat_word(K::Disable) {
            return Ok(None);
        }
        if self.eat_word(K::On) {
            if !self.eat_word(K::Slave) {
                self.expect_word(K::Replica)?;
            }
            return Ok(Some(EventStatus::DisableOnReplica));
        }
        Ok(Some(EventStatus::Disable))
    }

    /// The statement of a routine, trigger or event.
    pub(crate) fn body(&mut self) -> Parsing<Rc<Statement>> {
        let outer = std::mem::replace(&mut self.in_routine, true);
        let body = self.any_statement();
        self.in_routine = outer;
        body.map(Rc::new)
    }

    /// Statements, each with its `;`, up to one of `ends`.
    #[inline(never)]
    fn statements(&mut self, ends: &[K]) -> Parsing<Vec<Rc<Statement>>> {
        let mut statements = Vec::new();
        while !self.at_any(ends) {
            statements.push(Rc::new(self.any_statement()?));
            self.expect(T::Semicolon)?;
        }
        Ok(statements)
    }

    /// As [`Parser::statements`], of which Dolt wants one at least outside BEGIN … END.
    fn some_statements(&mut self, ends: &[K]) -> Parsing<Vec<Rc<Statement>>> {
        let statements = self.statements(ends)?;
        if statements.is_empty() {
            self.beyond_here();
        }
        Ok(statements)
    }

    /// Statements that only bodies have; `None` when it is none of them.
    #[inline(never)]
    pub(crate) fn routine_statement(&mut self, word: K) -> Parsing<Option<StatementKind>> {
        if self.peek() == T::Colon && !word.is_reserved() {
            let label = self.unknown_word(NameKind::New)?;
            self.advance();
            return self.labelled(Some(label)).map(Some);
        }
        let kind = match word {
            K::Begin | K::Loop | K::While | K::Repeat => self.labelled(None)?,
            K::Declare => self.declare()?,
            K::If => self.if_statement()?,
            K::Case => self.case_statement()?,
            K::Leave => {
                self.advance();
                StatementKind::Leave(self.unknown_word(NameKind::New)?)
            }
            K::Iterate => {
                self.advance();
                StatementKind::Iterate(self.unknown_word(NameKind::New)?)
            }
            K::Open => {
                self.advance();
                StatementKind::Open(self.unknown_word(NameKind::Variable)?)
            }
            K::Close => {
                self.advance();
                StatementKind::Close(self.unknown_word(NameKind::Variable)?)
            }
            K::Fetch => {
                self.advance();
                if self.eat_word(K::Next) {
                    self.expect_word(K::From)?;
                } else {
                    self.eat_word(K::From);
                }
                let cursor = self.unknown_word(NameKind::Variable)?;
                self.expect_word(K::Into)?;
                let into = self.comma_list(|parser| parser.unknown_word(NameKind::Variable))?;
                StatementKind::Fetch(Box::new(Fetch { cursor, into }))
            }
            K::Return => {
                self.advance();
                StatementKind::Return(Box::new(self.expression()?))
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    /// A block or loop, behind its label.
    #[inline(never)]
    fn labelled(&mut self, label: Option<Ident>) -> Parsing<StatementKind> {
        let kind = if self.eat_word(K::Begin) {
            let statements = self.statements(&[K::End])?;
            self.expect_word(K::End)?;
            StatementKind::Block(Box::new(Block { label: label.clone(), statements }))
        } else if self.eat_word(K::Loop) {
            let statements = self.some_statements(&[K::End])?;
            self.expect_words(&[K::End, K::Loop])?;
            StatementKind::Loop(Box::new(Loop { label: label.clone(), kind: LoopKind::Loop, statements }))
        } else if self.eat_word(K::While) {
            let condition = self.expression()?;
            self.expect_word(K::Do)?;
            let statements = self.some_statements(&[K::End])?;
            self.expect_words(&[K::End, K::While])?;
            StatementKind::Loop(Box::new(Loop { label: label.clone(), kind: LoopKind::While(condition), statements }))
        } else {
            self.expect_word(K::Repeat)?;
            let statements = self.some_statements(&[K::Until])?;
            self.expect_word(K::Until)?;
            let condition = self.expression()?;
            self.expect_words(&[K::End, K::Repeat])?;
            StatementKind::Loop(Box::new(Loop { label: label.clone(), kind: LoopKind::Repeat(condition), statements }))
        };
        let end = self.token.span;
        let repeated = self.eat_name(NameKind::New);
        let is_other = repeated.is_some_and(|name| !label.is_some_and(|label| label.is(&name.text)));
        self.beyond_if(is_other, end);
        Ok(kind)
    }

    #[inline(never)]
    fn if_statement(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let ends = [K::Elseif, K::Else, K::End];
        let mut branches = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect_word(K::Then)?;
            let statements = self.some_statements(&ends)?;
            branches.push(IfBranch { condition, statements });
            if !self.eat_word(K::Elseif) {
                break;
            }
        }
        let otherwise = if self.eat_word(K::Else) { self.some_statements(&[K::End])? } else { Vec::new() };
        self.expect_words(&[K::End, K::If])?;
        Ok(StatementKind::If(Box::new(If { branches, otherwise })))
    }

    #[inline(never)]
    fn case_statement(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let operand = if self.at_word(K::When) { None } else { Some(self.expression()?) };
        let mut branches = Vec::new();
        while branches.is_empty() || self.at_word(K::When) {
            self.expect_word(K::When)?;
            let condition = self.expression()?;
            self.expect_word(K::Then)?;
            let statements = self.some_statements(&[K::When, K::Else, K::End])?;
            branches.push(IfBranch { condition, statements });
        }
        let otherwise = if self.eat_word(K::Else) { Some(self.some_statements(&[K::End])?) } else { None };
        self.expect_words(&[K::End, K::Case])?;
        Ok(StatementKind::Case(Box::new(CaseStatement { operand, branches, otherwise })))
    }

    #[inline(never)]
    fn declare(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let action = match self.token.kind {
            T::Word(K::Continue) => Some(HandlerAction::Continue),
            T::Word(K::Exit) => Some(HandlerAction::Exit),
            T::Word(K::Undo) => Some(HandlerAction::Undo),
            _ => None,
        };
        if let Some(action) = action
            && self.peek() == T::Word(K::Handler)
        {
            self.advance();
            self.advance();
            self.expect_word(K::For)?;
            let conditions = self.comma_list(|parser| parser.condition_value())?;
            let body = Rc::new(self.any_statement()?);
            return Ok(StatementKind::Declare(Box::new(Declare::Handler { action, conditions, body })));
        }
        let mut names = self.comma_list(|parser| {
            parser.note_new_name(false);
            parser.listed_column(NameKind::New)
        })?;
        let declare = if names.len() == 1 && self.at_any(&[K::Condition, K::Cursor]) {
            let cursor = self.at_word(K::Cursor);
            self.advance();
            self.expect_word(K::For)?;
            let name = names.remove(0);
            self.beyond_if(!name.quoted && K::find(&name.text).is_known_to_dolt(), name.span);
            if cursor {
                let query = Box::new(self.kept_query()?);
                let span = query.span;
                Declare::Cursor { name, query: Rc::new(Statement { kind: StatementKind::Query(query), span }) }
            } else {
                Declare::Condition { name, condition: self.condition_value()? }
            }
        } else {
            let data_type = self.data_type()?;
            let default = if self.eat_word(K::Default) { Some(self.expression()?) } else { None };
            Declare::Variables { names, data_type, default }
        };
        Ok(StatementKind::Declare(Box::new(declare)))
    }

    fn condition_value(&mut self) -> Parsing<ConditionValue> {
        if self.eat_word(K::Sqlstate) {
            self.eat_word(K::Value);
            return self.text_value().map(ConditionValue::SqlState);
        }
        if self.at(T::Integer) {
            return self.integer().map(ConditionValue::ErrorCode);
        }
        if self.eat_word(K::Not) {
            self.expect_word(K::Found)?;
            return Ok(ConditionValue::NotFound);
        }
        if self.eat_word(K::Sqlwarning) {
            return Ok(ConditionValue::SqlWarning);
        }
        if self.eat_word(K::Sqlexception) {
            return Ok(ConditionValue::SqlException);
        }
        self.unknown_word(NameKind::New).map(ConditionValue::Name)
    }

    /// SIGNAL and RESIGNAL.
    #[inline(never)]
    pub(crate) fn signal(&mut self) -> Parsing<StatementKind> {
        let resignal = self.at_word(K::Resignal);
        self.advance();
        let end = self.at(T::End) || self.at(T::Semicolon) || self.at_word(K::Set);
        let condition = if resignal && end { None } else { Some(self.condition_value()?) };
        let items = if self.eat_word(K::Set) {
            self.comma_list(|parser| {
                let name = parser.name(NameKind::New)?.text.to_ascii_uppercase().into();
                parser.expect(T::Equal)?;
                let value = parser.expression()?;
                let is_simple = matches!(
                    value.kind,
                    ExprKind::Literal(_)
                        | ExprKind::Column(_)
                        | ExprKind::UserVariable(_)
                        | ExprKind::SystemVariable(_)
                );
                parser.beyond_if(!is_simple, value.span);
                Ok(SignalItem { name, value })
            })?
        } else {
            Vec::new()
        };
        let signal = Box::new(Signal { condition, items });
        Ok(if resignal { StatementKind::Resignal(signal) } else { StatementKind::Signal(signal) })
    }
}

/// The clauses between CREATE and VIEW.
pub(crate) struct ViewHeader {
    or_replace: bool,
    algorithm: Option<Ident>,
    pub definer: Option<Account>,
    invoker: bool,
}

impl ViewHeader {
    /// Whether it can only be a view's.
    pub fn is_of_view(&self) -> bool {
        self.or_replace || self.algorithm.is_some() || self.invoker
    }
}
