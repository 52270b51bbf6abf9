//! State machine of a transaction: its states, the events that move it from one to the next, and how statements begin and end in each.
//!
//! Everything here is a pure function of the state and what happens. The effects (snapshots, trees, the lock, the journal) are in the
//! files beside, which ask here what to do and report the event once it has happened.

use super::Intent;

/// The state of a session's transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// No transaction: the session sees what is committed.
    Closed {
        /// START TRANSACTION was said, and neither COMMIT nor ROLLBACK since: a statement in between has committed, and the next statement
        /// opens another transaction.
        is_begun: bool,
    },
    /// The transaction of one statement with autocommit.
    Statement {
        /// Whether its commit may become one of a group.
        may_defer: bool,
    },
    /// INSERTs of a script with autocommit that are committed together.
    Gathering(Gathered),
    /// Statements with autocommit were acknowledged; their commits are pending in the queue.
    Deferred,
    /// A transaction that was begun on pending commits and stays in their writer, in an undo scope of its own.
    Stacked,
    /// A stacked transaction whose changes are put aside while the group under it is flushed, or because that has failed.
    Parked,
    /// A transaction until COMMIT or ROLLBACK; one that autocommit = 0 has opened (`is_begun` is false) ends when autocommit is on again, too.
    Open { is_begun: bool, is_read_only: bool },
    /// A stacked transaction was lost with the group under it. The next statement fails with that error.
    Lost,
}

/// The INSERTs of [`State::Gathering`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Gathered {
    /// Bytes of their texts.
    pub text_bytes: usize,
    /// Their tables, whose triggers write to no other database or branch.
    pub tables: Vec<Box<str>>,
}

/// What has happened to a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// It is over. What START TRANSACTION has begun goes on with the next statement.
    Ended,
    /// It is over, and so is what START TRANSACTION has begun.
    Discarded,
    /// A statement has committed within what START TRANSACTION has begun.
    Continues,
    /// A statement with autocommit has begun.
    StatementBegan {
        may_defer: bool,
    },
    /// Snapshots of all databases were taken for a transaction.
    Opened {
        is_begun: bool,
        is_read_only: bool,
    },
    GatheringBegan,
    /// The statement has switched autocommit off.
    AutocommitDisabled,
    /// Names were changed.
    NamesChanged,
    /// The commit of the statement, or of the transaction, was put into the queue.
    CommitDeferred,
    /// START TRANSACTION has opened an undo scope on pending commits.
    ScopeBegan,
    /// The changes of the undo scope were taken back.
    ScopeUndone,
    /// The changes of the undo scope were put aside.
    ScopeParked,
    /// They were made again, on what the group has become.
    ScopeRestored,
    /// They cannot be.
    ScopeLost,
    /// A statement has failed with the error of [`State::Lost`].
    LossReported,
}

/// What comes before a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// Nothing: pending commits stay pending.
    JoinGroup,
    /// The pending commits of all sessions. Their failure is the next statement's: nothing keeps a transaction from being rolled back.
    FlushQuietly,
    /// The pending commits of all sessions.
    Flush,
}

/// The transaction that a statement runs in, after [`Entry::Flush`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// The one there is.
    Current,
    /// A new one that goes on after the statement.
    Transaction { is_begun: bool },
    /// One of its own.
    Statement { may_defer: bool },
}

/// What the end of a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Nothing,
    /// Puts its commit to those that are pending.
    JoinGroup,
    /// Puts its commit into the queue, or commits where that cannot be.
    DeferOrCommit,
    Commit,
    /// The transaction of the statement stays open.
    KeepOpen,
}

/// How an INSERT of a script begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gather {
    /// By itself, in the open transaction if there is one.
    Alone,
    /// With those that were gathered.
    Join,
    /// As the first of others; those that were gathered are committed.
    Anew,
}

impl Default for State {
    fn default() -> State {
        State::Closed { is_begun: false }
    }
}

impl State {
    /// The state after an event. An event that a state does not know leaves it as it is.
    pub fn next(self, event: Event) -> State {
        match (self, event) {
            (State::Lost, Event::LossReported) => State::default(),
            (State::Lost, _) => State::Lost,
            (state, Event::Ended) => State::Closed { is_begun: state.is_begun() },
            (_, Event::Discarded) => State::default(),
            (State::Closed { .. }, Event::Continues) => State::Closed { is_begun: true },
            (State::Closed { .. } | State::Statement { .. }, Event::StatementBegan { may_defer }) => {
                State::Statement { may_defer }
            }
            (State::Closed { .. }, Event::Opened { is_begun, is_read_only }) => State::Open { is_begun, is_read_only },
            (State::Closed { .. }, Event::GatheringBegan) => State::Gathering(Gathered::default()),
            (State::Statement { .. }, Event::AutocommitDisabled) => {
                State::Open { is_begun: false, is_read_only: false }
            }
            (State::Closed { is_begun: true }, Event::NamesChanged) => {
                State::Open { is_begun: true, is_read_only: false }
            }
            (State::Closed { .. }, Event::NamesChanged) => State::Statement { may_defer: false },
            (
                State::Statement { may_defer: true } | State::Open { is_begun: true, .. } | State::Stacked,
                Event::CommitDeferred,
            ) => State::Deferred,
            (State::Deferred, Event::ScopeBegan) => State::Stacked,
            (State::Stacked | State::Parked, Event::ScopeUndone) => State::Deferred,
            (State::Stacked, Event::ScopeParked) => State::Parked,
            (State::Closed { .. }, Event::ScopeRestored) => State::Open { is_begun: true, is_read_only: false },
            (State::Closed { .. }, Event::ScopeLost) => State::Lost,
            (state, _) => state,
        }
    }

    /// What comes before a statement. `has_room` tells whether the group takes one more.
    pub fn entry(&self, intent: Intent, has_room: impl FnOnce() -> bool) -> Entry {
        let joins = match (self, intent) {
            (State::Deferred | State::Stacked, Intent::ChangeRows) | (State::Deferred, Intent::Begin) => has_room(),
            (State::Stacked, Intent::Commit | Intent::RollBack) => true,
            _ => false,
        };
        match intent {
            _ if joins => Entry::JoinGroup,
            Intent::RollBack => Entry::FlushQuietly,
            _ => Entry::Flush,
        }
    }

    /// The transaction of a statement, once pending commits were flushed.
    pub fn opening(&self, intent: Intent, is_autocommit: bool) -> Opening {
        match self {
            State::Closed { is_begun: true } => Opening::Transaction { is_begun: true },
            State::Closed { .. } | State::Statement { .. } | State::Lost if !is_autocommit => {
                Opening::Transaction { is_begun: false }
            }
            State::Closed { .. } | State::Statement { .. } | State::Lost => {
                Opening::Statement { may_defer: intent == Intent::ChangeRows }
            }
            State::Gathering(_) | State::Deferred | State::Stacked | State::Parked | State::Open { .. } => {
                Opening::Current
            }
        }
    }

    /// What the end of a statement does.
    pub fn end(&self, is_autocommit: bool) -> End {
        match self {
            State::Closed { .. }
            | State::Lost
            | State::Gathering(_)
            | State::Stacked
            | State::Open { is_begun: true, .. } => End::Nothing,
            State::Deferred | State::Parked => End::JoinGroup,
            State::Statement { may_defer: true } => End::DeferOrCommit,
            State::Statement { .. } | State::Open { .. } if is_autocommit => End::Commit,
            State::Statement { .. } => End::KeepOpen,
            State::Open { .. } => End::Nothing,
        }
    }

    /// How an INSERT of a script begins whose text has so many bytes, where those of a group have `bytes_max` at most.
    pub fn gather(&self, text_bytes: usize, bytes_max: usize) -> Gather {
        match self {
            State::Gathering(gathered) if gathered.text_bytes + text_bytes <= bytes_max => Gather::Join,
            State::Open { .. } | State::Stacked | State::Lost | State::Closed { is_begun: true } => Gather::Alone,
            _ => Gather::Anew,
        }
    }

    /// Whether there is no transaction.
    pub fn is_closed(&self) -> bool {
        matches!(self, State::Closed { .. } | State::Lost)
    }

    /// Whether START TRANSACTION was said, and neither COMMIT nor ROLLBACK since.
    pub fn is_begun(&self) -> bool {
        match self {
            State::Closed { is_begun } | State::Open { is_begun, .. } => *is_begun,
            State::Stacked | State::Parked => true,
            State::Statement { .. } | State::Gathering(_) | State::Deferred | State::Lost => false,
        }
    }

    /// Whether statements run within a transaction that is not theirs, and which they do not end.
    pub fn is_in_transaction(&self) -> bool {
        matches!(self, State::Open { .. } | State::Stacked)
    }

    /// Whether the transaction goes on after the end of a statement.
    pub fn is_open(&self) -> bool {
        matches!(self, State::Open { .. } | State::Stacked | State::Parked | State::Gathering(_))
    }

    /// Whether commits are pending.
    pub fn has_pending_commits(&self) -> bool {
        matches!(self, State::Deferred | State::Stacked | State::Parked)
    }

    /// Whether the writer of a statement stays open for the next ones.
    pub fn keeps_writer(&self) -> bool {
        self.is_open() || self.has_pending_commits() || matches!(self, State::Statement { may_defer: true })
    }

    pub fn is_read_only(&self) -> bool {
        matches!(self, State::Open { is_read_only: true, .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathering() -> State {
        State::Gathering(Gathered { text_bytes: 100, tables: Vec::new() })
    }

    /// All states, each with its name in the tables.
    fn states() -> Vec<(&'static str, State)> {
        vec![
            ("closed", State::Closed { is_begun: false }),
            ("closed_begun", State::Closed { is_begun: true }),
            ("statement", State::Statement { may_defer: false }),
            ("statement_defers", State::Statement { may_defer: true }),
            ("gathering", gathering()),
            ("deferred", State::Deferred),
            ("stacked", State::Stacked),
            ("parked", State::Parked),
            ("open", State::Open { is_begun: false, is_read_only: false }),
            ("open_begun", State::Open { is_begun: true, is_read_only: false }),
            ("open_read_only", State::Open { is_begun: true, is_read_only: true }),
            ("lost", State::Lost),
        ]
    }

    fn name(state: &State) -> &'static str {
        let found = match state {
            State::Gathering(_) => Some("gathering"),
            _ => states().into_iter().find(|(_, known)| known == state).map(|(name, _)| name),
        };
        found.expect("a state of the list")
    }

    /// Looks whether a function gives what a table says: a state a line, its name first; `-` where nothing changes.
    fn assert_table(table: &str, given: impl Fn(&State, usize) -> String) {
        let lines: Vec<&str> = table.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), states().len(), "a line for each state");
        for (line, (known, state)) in lines.iter().zip(states()) {
            let mut cells = line.split_whitespace();
            assert_eq!(cells.next(), Some(known));
            for (column, wanted) in cells.enumerate() {
                let wanted = if wanted == "-" { known } else { wanted };
                assert_eq!(given(&state, column), wanted, "column {column} of {known}");
            }
        }
    }

    #[test]
    fn each_event_leads_to_one_state() {
        let events = [
            Event::Ended,
            Event::Discarded,
            Event::Continues,
            Event::StatementBegan { may_defer: true },
            Event::Opened { is_begun: true, is_read_only: true },
            Event::GatheringBegan,
            Event::AutocommitDisabled,
            Event::NamesChanged,
        ];
        // ended discarded continues statement_began opened gathering_began autocommit_disabled names_changed
        let table = "
            closed           -            closed closed_begun statement_defers open_read_only gathering -    statement
            closed_begun     -            closed -            statement_defers open_read_only gathering -    open_begun
            statement        closed       closed -            statement_defers -              -         open -
            statement_defers closed       closed -            -                -              -         open -
            gathering        closed       closed -            -                -              -         -    -
            deferred         closed       closed -            -                -              -         -    -
            stacked          closed_begun closed -            -                -              -         -    -
            parked           closed_begun closed -            -                -              -         -    -
            open             closed       closed -            -                -              -         -    -
            open_begun       closed_begun closed -            -                -              -         -    -
            open_read_only   closed_begun closed -            -                -              -         -    -
            lost             -            -      -            -                -              -         -    -
        ";
        assert_table(table, |state, column| name(&state.clone().next(events[column])).to_owned());
    }

    #[test]
    fn pending_commits_and_what_is_stacked_on_them_follow_a_table() {
        let events = [
            Event::CommitDeferred,
            Event::ScopeBegan,
            Event::ScopeUndone,
            Event::ScopeParked,
            Event::ScopeRestored,
            Event::ScopeLost,
            Event::LossReported,
        ];
        // commit_deferred scope_began scope_undone scope_parked scope_restored scope_lost loss_reported
        let table = "
            closed           -        -       -        -      open_begun lost -
            closed_begun     -        -       -        -      open_begun lost -
            statement        -        -       -        -      -          -    -
            statement_defers deferred -       -        -      -          -    -
            gathering        -        -       -        -      -          -    -
            deferred         -        stacked -        -      -          -    -
            stacked          deferred -       deferred parked -          -    -
            parked           -        -       deferred -      -          -    -
            open             -        -       -        -      -          -    -
            open_begun       deferred -       -        -      -          -    -
            open_read_only   deferred -       -        -      -          -    -
            lost             -        -       -        -      -          -    closed
        ";
        assert_table(table, |state, column| name(&state.clone().next(events[column])).to_owned());
    }

    #[test]
    fn changes_of_rows_alone_join_a_group_that_has_room() {
        let intents = [
            (Intent::Read, true),
            (Intent::ReadRows, true),
            (Intent::ChangeRows, true),
            (Intent::ChangeRows, false),
            (Intent::Begin, true),
            (Intent::Commit, false),
            (Intent::RollBack, false),
            (Intent::Other, true),
        ];
        // read read_rows change_rows change_rows_without_room begin commit roll_back other
        let table = "
            closed           Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            closed_begun     Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            statement        Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            statement_defers Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            gathering        Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            deferred         Flush Flush JoinGroup Flush JoinGroup Flush     FlushQuietly Flush
            stacked          Flush Flush JoinGroup Flush Flush     JoinGroup JoinGroup    Flush
            parked           Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            open             Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            open_begun       Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            open_read_only   Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
            lost             Flush Flush Flush     Flush Flush     Flush     FlushQuietly Flush
        ";
        assert_table(table, |state, column| {
            let (intent, has_room) = intents[column];
            format!("{:?}", state.entry(intent, || has_room))
        });
    }

    #[test]
    fn a_statement_has_a_transaction_of_its_own_unless_one_is_open() {
        let name = |opening| match opening {
            Opening::Current => "current",
            Opening::Transaction { is_begun: true } => "begun",
            Opening::Transaction { is_begun: false } => "opened",
            Opening::Statement { may_defer: true } => "defers",
            Opening::Statement { may_defer: false } => "own",
        };
        let cases = [(Intent::ChangeRows, true), (Intent::Other, true), (Intent::ChangeRows, false)];
        // change_rows other change_rows_without_autocommit
        let table = "
            closed           defers  own     opened
            closed_begun     begun   begun   begun
            statement        defers  own     opened
            statement_defers defers  own     opened
            gathering        current current current
            deferred         current current current
            stacked          current current current
            parked           current current current
            open             current current current
            open_begun       current current current
            open_read_only   current current current
            lost             defers  own     opened
        ";
        assert_table(table, |state, column| {
            let (intent, is_autocommit) = cases[column];
            name(state.opening(intent, is_autocommit)).to_owned()
        });
    }

    #[test]
    fn a_statement_ends_with_its_commit_unless_that_comes_later() {
        // with_autocommit without
        let table = "
            closed           Nothing       Nothing
            closed_begun     Nothing       Nothing
            statement        Commit        KeepOpen
            statement_defers DeferOrCommit DeferOrCommit
            gathering        Nothing       Nothing
            deferred         JoinGroup     JoinGroup
            stacked          Nothing       Nothing
            parked           JoinGroup     JoinGroup
            open             Commit        Nothing
            open_begun       Nothing       Nothing
            open_read_only   Nothing       Nothing
            lost             Nothing       Nothing
        ";
        assert_table(table, |state, column| format!("{:?}", state.end(column == 0)));
    }

    #[test]
    fn inserts_of_a_script_are_gathered_where_no_transaction_is_open() {
        // fits too_much
        let table = "
            closed           Anew  Anew
            closed_begun     Alone Alone
            statement        Anew  Anew
            statement_defers Anew  Anew
            gathering        Join  Anew
            deferred         Anew  Anew
            stacked          Alone Alone
            parked           Anew  Anew
            open             Alone Alone
            open_begun       Alone Alone
            open_read_only   Alone Alone
            lost             Alone Alone
        ";
        assert_table(table, |state, column| format!("{:?}", state.gather([20, 21][column], 120)));
    }
}
