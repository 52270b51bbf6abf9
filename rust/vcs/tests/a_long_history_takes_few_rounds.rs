//! A fetch asks for the commits of a long history together, not for one after the other.

use core::cell::Cell;
use std::rc::Rc;

use codec::Address;
use store::{Chunks, Committed, MemoryChunks, StoreError};
use tree::NodeStore;
use vcs::remote::{Fetch, FetchOptions, Push, PushChange, Pushed, RefSpec};
use vcs::{Commit, CommitMeta, Database, Identity, RepoState};

/// Chunks that are far away.
struct Far {
    inner: MemoryChunks,
    rounds: Cell<u32>,
}

impl Chunks for Far {
    fn root(&self) -> Address {
        self.inner.root()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.rounds.set(self.rounds.get() + 1);
        self.inner.read(address)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        self.rounds.set(self.rounds.get() + 1);
        self.inner.read_many(addresses, each)
    }

    fn will_need(&self, _: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        self.inner.contains(address)
    }

    fn put(&self, chunk: &[u8]) -> Result<Address, StoreError> {
        self.inner.put(chunk)
    }

    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.inner.look_at_pending(address, look)
    }

    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        self.inner.commit(from, to, chunks)
    }
}

fn meta(number: usize) -> CommitMeta {
    let [author, committer] = [(), ()].map(|()| Identity { name: "a".into(), email: "a@b".into() });
    let description = format!("commit {number}").into();
    CommitMeta { author, committer, author_millis: 0, committer_millis: 0, description, signature: None }
}

#[test]
fn a_long_history_takes_few_rounds() {
    const COMMITS: usize = 2_000;
    let far = Rc::new(Far { inner: MemoryChunks::new(), rounds: Cell::new(0) });
    let open = || Database::new(NodeStore::new(far.clone(), Default::default()), RepoState::default());
    let remote = open();
    let first = remote.first_refs("main", meta(0)).unwrap();
    assert_eq!(remote.commit(&remote.refs().unwrap(), &first).unwrap(), Committed::Done);
    let mut head = first.branch_head("main").unwrap();
    for number in 1..COMMITS {
        let root = head.root;
        head = Commit::write(remote.objects(), core::slice::from_ref(&head), root, meta(number)).unwrap();
    }
    let mut draft = first.draft();
    draft.set_branch("main", Some(head.address));
    assert_eq!(remote.commit(&first, &draft.write().unwrap()).unwrap(), Committed::Done);

    let (remote, local) = (open(), Database::in_memory());
    far.rounds.set(0);
    let specs = [RefSpec::parse("refs/heads/*:refs/remotes/origin/*").unwrap()];
    let options = FetchOptions { remote: "origin", specs: &specs, is_default: true, prunes: false };
    let mut fetch = Fetch::begin(&remote, &options).unwrap();
    let copied = loop {
        let copied = fetch.step(&local, &remote, 1_000).unwrap();
        if copied.is_done {
            break copied;
        }
    };
    assert!(copied.chunks > COMMITS as u64);
    let rounds = far.rounds.get();
    assert!(rounds < 30, "{rounds} rounds for {} chunks", copied.chunks);
    let before = local.refs().unwrap();
    let mut draft = before.draft();
    assert_eq!(fetch.write(&local, &mut draft).unwrap().len(), 1);
    assert_eq!(local.commit(&before, &draft.write().unwrap()).unwrap(), Committed::Done);
    assert_eq!(local.objects().log(&[head.address], &[]).unwrap().count(), COMMITS);

    // And back: what is there is not sent.
    let head = local.objects().commit(&head.address).unwrap();
    let next = Commit::write(local.objects(), core::slice::from_ref(&head), head.root, meta(COMMITS)).unwrap();
    let other = Database::in_memory();
    let mut pushes = [head.address, next.address].into_iter().map(|head| {
        let mut push = Push::begin(PushChange::Branch { branch: "main".into(), head, is_forced: false });
        loop {
            let pushing = push.step(&local, &other, 1_000).unwrap();
            if let Some(outcome) = pushing.outcome {
                assert!(matches!(outcome, Pushed::Done { .. }), "{outcome:?}");
                break pushing.copied.chunks;
            }
        }
    });
    let [all, new] = [pushes.next().unwrap(), pushes.next().unwrap()];
    assert!(all > COMMITS as u64 && new < 10, "{all} {new}");
}
