//! Lazy JSON document of a column: its text is kept, and parsed only when a function needs the value.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use super::reader::Reader;
use super::{Json, JsonParts, transcode};
use crate::error::ValueError;

/// A JSON value, or MySQL's text of one. The text is parsed when the value is first accessed.
pub struct Document {
    text: Option<String>,
    value: OnceCell<Json>,
}

impl Document {
    /// Reads the text that a column stores.
    ///
    /// # Errors
    /// As [`Json::parse`].
    pub fn of_stored(stored: &str) -> Result<Document, ValueError> {
        match transcode::shown(stored) {
            Some(text) => Ok(Document { text: Some(text), value: OnceCell::new() }),
            None => Json::parse(stored).map(Document::from),
        }
    }

    /// As [`Document::of_stored`], of the members alone that are part of `parts`.
    ///
    /// # Errors
    /// As [`Json::parse_parts`].
    pub fn of_stored_parts(stored: &str, parts: &JsonParts) -> Result<Document, ValueError> {
        Json::parse_parts(stored, parts).map(Document::from)
    }

    /// The text as MySQL shows it, where that is known.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The text as MySQL shows it.
    pub fn shown(&self) -> Cow<'_, str> {
        self.text().map_or_else(|| Cow::Owned(self.to_string()), Cow::Borrowed)
    }

    /// The value, copied only where the document is shared.
    pub fn into_value(self: Rc<Document>) -> Json {
        let _ = self.deref();
        match Rc::try_unwrap(self) {
            Ok(document) => document.value.into_inner().unwrap_or(Json::Null),
            Err(shared) => Json::clone(&shared),
        }
    }

    /// As [`Json::length`]; of a text no value is made for it.
    pub fn length(&self) -> usize {
        match self.text() {
            Some(text) if self.value.get().is_none() => Reader::new(text).length().unwrap_or(1),
            _ => Json::length(self),
        }
    }
}

impl From<Json> for Document {
    fn from(value: Json) -> Document {
        Document { text: None, value: value.into() }
    }
}

impl Deref for Document {
    type Target = Json;

    fn deref(&self) -> &Json {
        // Only text that can be read becomes a document's.
        let read = || self.text.as_deref().and_then(|text| Json::parse(text).ok()).unwrap_or(Json::Null);
        self.value.get_or_init(read)
    }
}

impl fmt::Debug for Document {
    /// As the value, whatever is known of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => f.write_str(text),
            None => fmt::Display::fmt(&**self, f),
        }
    }
}
