//! Error handling in programs: finds the handler of an error and where the program continues.

use parse::ast::HandlerAction;

use super::{Frame, Machine};
use crate::error::{Result, SqlError};
use crate::program::Step;

/// A block that was entered, or a handler that runs.
#[derive(Default)]
pub(super) struct Block {
    /// Handlers in force, in the order of their declarations.
    pub(super) handlers: Vec<usize>,
    pub(super) running: Option<RunningHandler>,
}

pub(super) struct RunningHandler {
    handler: usize,
    /// How many blocks were there up to and with the declaring one.
    declared_at: usize,
    /// Where CONTINUE goes on.
    resume: usize,
}

impl Machine {
    /// The handler for an error: its frame, how many blocks there are up to the one that declares it, and its number.
    pub(super) fn catching(&self, error: &SqlError) -> Option<(usize, usize, usize)> {
        self.frames.iter().enumerate().rev().find_map(|(frame_at, frame)| {
            let mut blocks = frame.blocks.len();
            while let Some(at) = blocks.checked_sub(1) {
                let block = frame.blocks.get(at)?;
                let catches = |handler: &&usize| {
                    let handler = &frame.program.handlers[**handler];
                    handler.conditions.iter().any(|condition| condition.catches(error))
                };
                if let Some(handler) = block.handlers.iter().find(catches) {
                    return Some((frame_at, blocks, *handler));
                }
                // An error inside a handler is for the blocks around the one that declares it.
                blocks = block.running.as_ref().map_or(at, |running| running.declared_at - 1);
            }
            None
        })
    }

    pub(super) fn raise(&mut self, error: SqlError) -> Result<()> {
        self.running = None;
        let Some((frame_at, declared_at, handler)) = self.catching(&error) else {
            while !self.frames.is_empty() {
                self.leave_frame();
            }
            // Places in the body are not places in the statement that was sent.
            return Err(error.elsewhere());
        };
        while self.frames.len() > frame_at + 1 {
            self.leave_frame();
        }
        self.session.state().warn(error.errno, error.into_message());
        let frame = self.frame()?;
        let resume = match frame.program.steps.get(frame.at) {
            Some(Step::Test { resume, .. }) => *resume,
            _ => frame.at + 1,
        };
        let running = RunningHandler { handler, declared_at, resume };
        frame.blocks.push(Block { handlers: Vec::new(), running: Some(running) });
        frame.at = frame.program.handlers[handler].start;
        Ok(())
    }
}

impl Frame {
    pub(super) fn end_handler(&mut self) {
        let Some(RunningHandler { handler, declared_at, resume }) = self.blocks.pop().and_then(|block| block.running)
        else {
            return;
        };
        let handler = &self.program.handlers[handler];
        match handler.action {
            HandlerAction::Continue => self.at = resume,
            HandlerAction::Exit | HandlerAction::Undo => {
                self.blocks.truncate(declared_at - 1);
                self.at = handler.block_end;
            }
        }
    }
}
