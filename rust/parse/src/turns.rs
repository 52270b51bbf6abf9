//! Resumable parsing: a long text is parsed in several calls.
//!
//! When a call is over, each list that is being read keeps its items and the place of its next one, and the parser fails. The next call
//! begins at the start of the text, skips the items that were kept, and continues within the innermost list.

use std::any::Any;
use std::collections::BTreeMap;

use crate::error::ParseError;
use crate::lex::token::TokenKind;
use crate::parser::{Checkpoint, Parser, Parsing};

/// Bytes of text between two questions whether the call is over, and the least that each call reads.
const TURN_BYTES: u32 = 64 << 10;

/// Bytes outside the items of lists, which every call reads again. A list after more of them is read in one call.
const REPEATED_BYTES_MAX: u32 = 256 << 10;

/// The unfinished lists of a text, by the offsets where they begin.
#[derive(Default)]
pub struct Reading {
    lists: BTreeMap<u32, UnfinishedList>,
}

struct UnfinishedList {
    /// A vector.
    items: Box<dyn Any>,
    /// Of the highest item.
    height: u32,
    next: Boundary<'static>,
    beyond_dolt: Vec<ParseError>,
}

/// The place between two items of a list.
#[derive(Clone, Copy)]
struct Boundary<'a> {
    place: Checkpoint<'a>,
    tallest: u32,
}

/// The turns of a parser.
pub(crate) struct Turns<'a> {
    reading: &'a mut Reading,
    is_over: &'a dyn Fn() -> bool,
    ask_at: u32,
    /// Bytes before `since` that every call reads again.
    repeated: u32,
    /// The last boundary of the innermost list.
    since: u32,
    is_paused: bool,
}

impl<'a> Turns<'a> {
    /// `is_over` says whether the call is.
    pub(crate) fn new(reading: &'a mut Reading, is_over: &'a dyn Fn() -> bool) -> Self {
        Turns { reading, is_over, ask_at: TURN_BYTES, repeated: 0, since: 0, is_paused: false }
    }
}

/// What a list knows of its place in a text that is read in turns.
struct ListPlace {
    /// Where it begins.
    start: u32,
    repeated: u32,
    /// The same of the enclosing list.
    outer: (u32, u32),
}

impl<'a> Parser<'a> {
    /// Whether the call is over and the text is to be read on in the next one.
    pub(crate) fn is_paused(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.is_paused)
    }

    /// Reads a list, which may be long, after the `items` that were read. `next` reads an item with what separates it from the one before,
    /// with whether it is the first. Leaves the greatest height.
    pub(crate) fn list<T: 'static>(
        &mut self,
        mut items: Vec<T>,
        mut next: impl FnMut(&mut Self, bool) -> Parsing<Option<T>>,
    ) -> Parsing<Vec<T>> {
        let mut height = if items.is_empty() { 0 } else { self.height };
        let place = self.begin_list()?;
        if let Some(place) = &place
            && let Some(list) = self.resume(place)
            && let Ok(kept) = list.items.downcast::<Vec<T>>()
        {
            (items, height) = (*kept, list.height);
        }
        loop {
            let boundary = place.as_ref().map(|place| self.boundary(place));
            let item = match self.is_paused() {
                true => Ok(None),
                false => next(self, items.is_empty()),
            };
            if let (true, Some(place), Some(boundary)) = (self.is_paused(), &place, boundary) {
                self.keep(place, Box::new(items), height, boundary);
                return Err(self.unexpected());
            }
            let Some(item) = item? else { break };
            items.push(item);
            height = height.max(self.height);
        }
        self.height = height;
        self.end_list(place);
        Ok(items)
    }

    /// The same with commas between one or more items.
    pub(crate) fn long_comma_list<T: 'static>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parsing<T>,
    ) -> Parsing<Vec<T>> {
        self.list(Vec::new(), |parser, is_first| match is_first || parser.eat(TokenKind::Comma) {
            true => item(parser).map(Some),
            false => Ok(None),
        })
    }

    fn begin_list(&mut self) -> Parsing<Option<ListPlace>> {
        if self.is_paused() {
            // Of another attempt at a text that has ended.
            return Err(self.unexpected());
        }
        let start = self.start();
        Ok(self.turns.as_ref().map(|turns| {
            let repeated = turns.repeated + start.saturating_sub(turns.since);
            ListPlace { start, repeated, outer: (turns.repeated, turns.since) }
        }))
    }

    fn end_list(&mut self, place: Option<ListPlace>) {
        if let (Some(turns), Some(place)) = (&mut self.turns, place) {
            (turns.repeated, turns.since) = place.outer;
        }
    }

    /// Goes to the next item of a list that was begun in an earlier call.
    fn resume(&mut self, place: &ListPlace) -> Option<UnfinishedList> {
        let turns = self.turns.as_mut()?;
        let mut list = turns.reading.lists.remove(&place.start)?;
        let next = list.next.place.in_text(self.sql);
        turns.ask_at = next.start().saturating_add(TURN_BYTES);
        self.rewind(next);
        self.tallest = list.next.tallest;
        self.beyond_dolt = std::mem::take(&mut list.beyond_dolt);
        Some(list)
    }

    /// The place before an item; ends the text there where the call is over.
    fn boundary(&mut self, place: &ListPlace) -> Boundary<'a> {
        let boundary = Boundary { place: self.checkpoint(), tallest: self.tallest };
        let start = self.start();
        let Some(turns) = &mut self.turns else { return boundary };
        (turns.repeated, turns.since) = (place.repeated, start);
        if start >= turns.ask_at {
            turns.ask_at = start.saturating_add(TURN_BYTES);
            turns.is_paused = place.repeated <= REPEATED_BYTES_MAX && (turns.is_over)();
            if turns.is_paused {
                self.end_text();
            }
        }
        boundary
    }

    fn keep(&mut self, place: &ListPlace, items: Box<dyn Any>, height: u32, boundary: Boundary<'a>) {
        let Boundary { place: next, tallest } = boundary;
        let beyond_dolt = self.beyond_dolt.get(..next.beyond_dolt()).unwrap_or_default().to_vec();
        let next = Boundary { place: next.in_text(""), tallest };
        if let Some(turns) = &mut self.turns {
            turns.reading.lists.insert(place.start, UnfinishedList { items, height, next, beyond_dolt });
        }
    }
}
