//! Revision specs: parsing and resolution (docs/format/database.md, section 12).

use std::rc::Rc;

use codec::Address;

use crate::commit::Commit;
use crate::error::{Result, VcsReason};
use crate::refs::{BRANCHES, Refs, TAGS};
use crate::root_value::RootValue;

/// The current position of a session; what HEAD, WORKING and STAGED refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch: has a working set.
    Branch(Box<str>),
    /// A tag, a remote-tracking branch or a hash: read-only.
    Commit(Address),
}

/// A commit spec: `HEAD`, a hash or a ref, then a way up through its parents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub base: Base,
    /// Which parent to take, step by step; 0 is the first.
    pub parents: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    Head,
    Hash(Address),
    /// Whole or abbreviated: `refs/heads/main`, `heads/main`, `main`, `v1`, `origin/main`.
    Ref(Box<str>),
}

/// A state of all tables that a name refers to.
pub struct NamedRoot {
    pub root: RootValue,
    /// `None` for WORKING and STAGED.
    pub commit: Option<Rc<Commit>>,
}

/// Steps that one spec may ask for; `~1000000` walks for a while, a longer walk is a mistake.
const STEPS_MAX: usize = 10_000_000;

impl Revision {
    /// # Errors
    /// [`VcsReason::InvalidAncestorSpec`] for what follows `^` or `~`, [`VcsReason::InvalidRevision`] for the rest.
    pub fn parse(text: &str) -> Result<Revision> {
        let text = text.trim();
        let split = text.find(['^', '~']).unwrap_or(text.len());
        let (base, way) = text.split_at(split);
        let parents = parse_way(way)?;
        let base = match base.parse::<Address>() {
            _ if base.eq_ignore_ascii_case("head") => Base::Head,
            Ok(hash) => Base::Hash(hash),
            Err(_) if is_valid_ref_name(base) => Base::Ref(base.into()),
            Err(_) => return Err(VcsReason::InvalidRevision.into()),
        };
        Ok(Revision { base, parents })
    }
}

/// `^`, `^1`, `^2` take a parent; `~`, `~n` take the first one n times.
fn parse_way(mut way: &str) -> Result<Vec<usize>> {
    let mut parents = Vec::new();
    while let Some(sign) = way.chars().next() {
        let rest = &way[sign.len_utf8()..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let number = match number {
            "" => 1,
            number => number.parse::<usize>().map_err(|_| VcsReason::InvalidAncestorSpec)?,
        };
        match sign {
            '^' if number == 1 || number == 2 => parents.push(number - 1),
            '~' if parents.len() + number <= STEPS_MAX => parents.resize(parents.len() + number, 0),
            _ => return Err(VcsReason::InvalidAncestorSpec.into()),
        }
        way = after;
    }
    Ok(parents)
}

/// Whether a ref may have this name (section 2.2).
pub fn is_valid_ref_name(name: &str) -> bool {
    let forbidden = |c: char| !c.is_ascii() || c.is_ascii_control() || ": ?[\\^~*\x7f".contains(c);
    let component = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    !name.is_empty()
        && !name.contains(forbidden)
        && !name.contains("..")
        && !name.contains("@{")
        && name != "@"
        && !name.ends_with(['/', '.'])
        && name.split('/').all(component)
}

/// Whether people may call a branch or a tag so: nothing that reads as something else.
pub fn is_valid_branch_name(name: &str) -> bool {
    is_valid_ref_name(name) && !name.eq_ignore_ascii_case("head") && name != "-" && name.parse::<Address>().is_err()
}

/// Begin the name of a root value, and of a stash. Names of refs have no colon, so that they can be none of those.
const ROOT: &str = "root:";
const STASH: &str = "stash:";

impl Refs {
    /// The current commit of a session.
    pub fn head(&self, head: &Head) -> Result<Rc<Commit>> {
        match head {
            Head::Branch(name) => self.branch_head(name),
            Head::Commit(address) => self.objects().commit(address),
        }
    }

    /// The commit that `text` refers to, seen from `head`.
    ///
    /// # Errors
    /// Those of [`Revision::parse`]; [`VcsReason::BranchNotFound`] for an unknown name, [`VcsReason::InvalidAncestorSpec`]
    /// when the way leads past the first commit.
    pub fn commit(&self, text: &str, head: &Head) -> Result<Rc<Commit>> {
        self.resolve(&Revision::parse(text)?, head)
    }

    /// The commit that a revision means; `HEAD` and what goes up from it begin at `head`.
    ///
    /// # Errors
    /// [`VcsReason::BranchNotFound`] for an unknown name, [`VcsReason::InvalidAncestorSpec`] when the way leads past the first commit.
    pub fn resolve(&self, revision: &Revision, head: &Head) -> Result<Rc<Commit>> {
        let mut commit = match &revision.base {
            Base::Head => self.head(head)?,
            Base::Hash(address) => self.commit_by_hash(address)?,
            Base::Ref(name) => self.commit_of_ref(name)?,
        };
        for parent in &revision.parents {
            let address = commit.parents.get(*parent).ok_or(VcsReason::InvalidAncestorSpec)?;
            commit = self.objects().commit(address)?;
        }
        Ok(commit)
    }

    /// A commit by its hash; any other chunk, or none, is "not found".
    fn commit_by_hash(&self, address: &Address) -> Result<Rc<Commit>> {
        if !self.objects().nodes().chunks().contains(address)? {
            return Err(VcsReason::CommitNotFound(*address).into());
        }
        self.objects().commit(address).map_err(|error| match error.is_another_message() {
            true => VcsReason::CommitNotFound(*address).into(),
            false => error,
        })
    }

    fn commit_of_ref(&self, name: &str) -> Result<Rc<Commit>> {
        let exact = name.starts_with("refs/").then_some("");
        for prefix in exact.into_iter().chain(["refs/", BRANCHES, TAGS, "refs/remotes/"]) {
            let dataset = format!("{prefix}{name}");
            if let Some(address) = self.dataset(&dataset)? {
                let commit = match dataset.starts_with(TAGS) {
                    true => self.objects().tag(&address)?.commit,
                    false => address,
                };
                return self.objects().commit(&commit);
            }
        }
        Err(VcsReason::BranchNotFound(name.into()).into())
    }

    /// The state that `text` refers to: a commit spec, `WORKING` or `STAGED` (in upper case only, as in Dolt), or `root:` and
    /// the hash of a root value, as `dolt_hashof_db` tells it: with that a live query names what it saw last; or `stash:LIST@{0}`,
    /// for what `dolt_stashes` lists.
    ///
    /// # Errors
    /// As [`Refs::commit`]; [`VcsReason::DetachedHead`] for WORKING and STAGED without a branch; [`VcsReason::CommitNotFound`] for
    /// a root that is not there any more.
    pub fn named_root(&self, text: &str, head: &Head) -> Result<NamedRoot> {
        let is_working = text == "WORKING";
        if is_working || text == "STAGED" {
            let Head::Branch(branch) = head else { return Err(VcsReason::DetachedHead.into()) };
            let set = self.shared_working_set(branch)?;
            let root = if is_working { set.working } else { set.staged };
            return Ok(NamedRoot { root: self.objects().root_value(&root)?, commit: None });
        }
        if let Some(hash) = text.strip_prefix(ROOT) {
            let address = hash.parse::<Address>().map_err(|_| VcsReason::InvalidRevision)?;
            if !self.objects().nodes().chunks().contains(&address)? {
                return Err(VcsReason::CommitNotFound(address).into());
            }
            return Ok(NamedRoot { root: self.objects().root_value(&address)?, commit: None });
        }
        if let Some(name) = text.strip_prefix(STASH) {
            let root = self.stash_root(name)?;
            return Ok(NamedRoot { root: self.objects().root_value(&root)?, commit: None });
        }
        let commit = self.commit(text, head)?;
        Ok(NamedRoot { root: self.objects().root_value(&commit.root)?, commit: Some(commit) })
    }

    /// The state that a stash puts aside, by its list and place: `dolt-cli@{0}` is the newest of the shell's.
    fn stash_root(&self, name: &str) -> Result<Address> {
        let (list, index) =
            name.strip_suffix('}').and_then(|name| name.rsplit_once("@{")).ok_or(VcsReason::InvalidRevision)?;
        let index: usize = index.parse().map_err(|_| VcsReason::InvalidRevision)?;
        let found = self.stashes()?.into_iter().find(|stash| &*stash.list == list && stash.index == index);
        found.map(|found| found.stash.root).ok_or_else(|| VcsReason::BranchNotFound(name.into()).into())
    }

    /// The newest commit in log order whose committer date is at most `millis` since 1970 UTC; `None` before the first.
    pub fn commit_at(&self, millis: i64, head: &Head) -> Result<Option<Rc<Commit>>> {
        let head = self.head(head)?;
        let mut log = self.objects().log(&[head.address], &[])?;
        log.find(|commit| commit.as_ref().map_or(true, |commit| commit.meta.committer_millis <= millis)).transpose()
    }

    /// The revision after the `/` or `@` of a revision database: a branch, however it is spelled, else a tag, a remote-tracking branch or a
    /// hash, or a way up from one (`main~1`). There is no HEAD.
    ///
    /// # Errors
    /// [`VcsReason::InvalidRefSpec`] for a way up from what is not there, [`VcsReason::InvalidAncestorSpec`] for one that is too long.
    pub fn revision_database(&self, text: &str) -> Result<Option<Head>> {
        if self.branch(text)?.is_some() {
            return Ok(Some(Head::Branch(text.into())));
        }
        if let Some(branch) = self.folded_branch(text)? {
            return Ok(Some(Head::Branch(branch)));
        }
        let revision = match Revision::parse(text) {
            Err(error) if matches!(error.reason(), VcsReason::InvalidRevision) => return Ok(None),
            parsed => parsed?,
        };
        let absent = match revision.parents.is_empty() {
            true => Ok(None),
            false => Err(VcsReason::InvalidRefSpec.into()),
        };
        if revision.base == Base::Head {
            return absent;
        }
        match self.resolve(&revision, &Head::Commit(Address::EMPTY)) {
            Ok(commit) => Ok(Some(Head::Commit(commit.address))),
            Err(error) => match error.reason() {
                VcsReason::BranchNotFound(_) | VcsReason::CommitNotFound(_) => match self.folded_tag(text)? {
                    Some(commit) => Ok(Some(Head::Commit(commit))),
                    None => absent,
                },
                _ => Err(error),
            },
        }
    }

    /// A branch whose name is spelled otherwise.
    fn folded_branch(&self, name: &str) -> Result<Option<Box<str>>> {
        for branch in self.branches() {
            let (known, _) = branch?;
            if known.eq_ignore_ascii_case(name) {
                return Ok(Some(known));
            }
        }
        Ok(None)
    }

    /// The commit of a tag whose name is spelled otherwise.
    fn folded_tag(&self, name: &str) -> Result<Option<Address>> {
        for tag in self.tags() {
            let (known, tag) = tag?;
            if known.eq_ignore_ascii_case(name) {
                return Ok(Some(tag.commit));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_taken_apart() {
        let way = |text: &str| Revision::parse(text).unwrap().parents;
        assert_eq!(way("HEAD"), [0; 0]);
        assert_eq!(way("head~2^2^"), [0, 0, 1, 0]);
        assert_eq!(way("main~"), [0]);
        assert_eq!(way("v1~0"), [0; 0]);
        assert_eq!(Revision::parse("HEAD").unwrap().base, Base::Head);
        assert_eq!(Revision::parse("origin/main^1").unwrap().base, Base::Ref("origin/main".into()));
        let hash = "6dn25gfn09nrf1d50o94nvq6cnumv50n";
        assert_eq!(Revision::parse(hash).unwrap().base, Base::Hash(hash.parse().unwrap()));
    }

    #[test]
    fn impossible_specs_are_errors() {
        for text in ["HEAD^3", "HEAD~x", "main^0", "HEAD~99999999999999999999", "HEAD~99999999"] {
            assert!(
                matches!(Revision::parse(text), Err(error) if matches!(error.reason(), VcsReason::InvalidAncestorSpec)),
                "{text}"
            );
        }
        for text in ["", "a b", "a..b", "ä", "a:b", ".a", "a/", "x.lock", "a//b", "@", "a@{1}"] {
            assert!(
                matches!(Revision::parse(text), Err(error) if matches!(error.reason(), VcsReason::InvalidRevision)),
                "{text}"
            );
        }
    }

    #[test]
    fn branch_names_do_not_read_as_something_else() {
        for name in ["main", "feature/x", "a@b", "v1.0", "HEAD2"] {
            assert!(is_valid_branch_name(name), "{name}");
        }
        for name in ["HEAD", "head", "-", "6dn25gfn09nrf1d50o94nvq6cnumv50n", "a*b"] {
            assert!(!is_valid_branch_name(name), "{name}");
        }
    }
}
