//! Syntax tree of a pattern.

use crate::look::Look;

/// Number of a class in [`Parsed::classes`](crate::parse::Parsed).
pub type ClassIndex = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Greed {
    Greedy,
    Lazy,
    /// Never given back.
    Possessive,
}

#[derive(Debug)]
pub enum Node {
    Char(char),
    Class(ClassIndex),
    Look(Look),
    Concat(Vec<Node>),
    Alternation(Vec<Node>),
    /// `max` is `None` without a limit.
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greed: Greed,
    },
    Group(u32, Box<Node>),
    BackReference {
        group: u32,
        ignore_case: bool,
    },
    Around {
        node: Box<Node>,
        is_ahead: bool,
        is_negated: bool,
    },
    Atomic(Box<Node>),
}

impl Node {
    /// Least and most characters of a match; the most is `None` without a limit.
    pub fn length(&self) -> (u32, Option<u32>) {
        match self {
            Node::Char(_) | Node::Class(_) => (1, Some(1)),
            Node::Look(_) | Node::Around { .. } => (0, Some(0)),
            Node::BackReference { .. } => (0, None),
            Node::Group(_, node) | Node::Atomic(node) => node.length(),
            Node::Concat(nodes) => nodes.iter().map(Node::length).fold((0, Some(0)), |sum, length| {
                let most = sum.1.zip(length.1).and_then(|(a, b): (u32, u32)| a.checked_add(b));
                (sum.0.saturating_add(length.0), most)
            }),
            Node::Alternation(nodes) => {
                let least = nodes.iter().map(|node| node.length().0).min().unwrap_or(0);
                let most = nodes.iter().map(|node| node.length().1).try_fold(0, |most, length| Some(length?.max(most)));
                (least, most)
            }
            Node::Repeat { node, min, max, .. } => {
                let (least, most) = node.length();
                let most = match (most, max) {
                    (Some(0), _) => Some(0),
                    (Some(most), Some(max)) => most.checked_mul(*max),
                    _ => None,
                };
                (least.saturating_mul(*min), most)
            }
        }
    }

    /// Whether every match starts at the start of the text.
    pub fn is_anchored(&self) -> bool {
        match self {
            Node::Look(look) => *look == Look::TextStart,
            Node::Group(_, node) | Node::Atomic(node) => node.is_anchored(),
            Node::Concat(nodes) => {
                let first = nodes.iter().find(|node| !matches!(node, Node::Look(look) if *look != Look::TextStart));
                first.is_some_and(Node::is_anchored)
            }
            Node::Alternation(nodes) => nodes.iter().all(Node::is_anchored),
            Node::Repeat { node, min, .. } => *min > 0 && node.is_anchored(),
            _ => false,
        }
    }
}
