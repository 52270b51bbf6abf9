//! Branches, tags, remotes, logs, merge bases and status of every fixture.

mod common;

use common::{databases, flag, row, rows};
use sha2::{Digest, Sha256};
use vcs::{Head, VcsReason};

/// All fixtures but the remote, which is no database directory.
const DATABASES: &[&str] = &["a_", "b_", "c_", "d_", "e_", "f_", "g_", "h_clone", "i_"];

fn main_head() -> Head {
    Head::Branch("main".into())
}

#[test]
fn branches_tags_and_remotes() {
    for opened in databases("names", DATABASES) {
        let refs = opened.database.refs().unwrap();
        let mut branches = Vec::new();
        for entry in refs.branches() {
            let (name, head) = entry.unwrap();
            let message = refs.branch_head(&name).unwrap().meta.description.clone();
            branches.push(serde_json::json!({"name": name, "hash": head.to_string(), "latest_message": message}));
        }
        assert_eq!(serde_json::json!(branches), opened.oracle["branches"], "{}", opened.fixture);
        let default_branch = opened.database.default_branch(&refs).unwrap();
        assert_eq!(default_branch.as_deref(), opened.oracle["active_branch"].as_str());

        let tags: Vec<_> = refs.tags().map(|entry| entry.unwrap()).collect();
        let tags: Vec<_> =
            tags.iter().map(|(name, tag)| row([name, &tag.commit.to_string(), &tag.name, &tag.description])).collect();
        assert_eq!(tags, rows(&opened.oracle["tags"]), "{}", opened.fixture);

        let remotes: Vec<_> =
            opened.database.state().unwrap().remotes.iter().map(|remote| Some(remote.name.to_string())).collect();
        let wanted: Vec<_> = rows(&opened.oracle["remotes"]).into_iter().map(|row| row[0].clone()).collect();
        assert_eq!(remotes, wanted);
        let remote_branches: Vec<_> = refs
            .remote_branches()
            .map(|entry| entry.unwrap())
            .map(|entry| row([&format!("remotes/{}/{}", entry.remote, entry.branch), &entry.head.to_string()]))
            .collect();
        assert_eq!(remote_branches, rows(&opened.oracle["remote_branches"]), "{}", opened.fixture);
    }
}

#[test]
fn a_remote_has_the_branches_that_its_clone_tracks() {
    for opened in databases("remote", &["h_remote"]) {
        let refs = opened.database.refs().unwrap();
        let branches: Vec<_> = refs
            .branches()
            .map(|entry| entry.unwrap())
            .map(|(name, head)| row([&format!("remotes/origin/{name}"), &head.to_string()]))
            .collect();
        assert_eq!(branches, rows(&opened.oracle["remote_branches"]));
        assert_eq!(opened.database.default_branch(&refs).unwrap().as_deref(), Some("main"));
    }
}

#[test]
fn logs_roots_and_merge_bases() {
    for opened in databases("logs", DATABASES) {
        let refs = opened.database.refs().unwrap();
        let objects = refs.objects();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            let at = format!("{} {branch}", opened.fixture);
            let head = refs.branch_head(branch).unwrap();
            let log: Vec<_> =
                objects.log(&[head.address], &[]).unwrap().map(|commit| commit.unwrap().address.to_string()).collect();
            assert_eq!(log.len() as u64, oracle["log_count"].as_u64().unwrap(), "{at}");
            let lines: String = log.iter().map(|hash| format!("{hash}\n")).collect();
            let digest: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digest, oracle["log_sha256"].as_str().unwrap(), "{at}");
            for (hash, entry) in log.iter().zip(oracle["log"].as_array().unwrap()) {
                let commit = objects.commit(&hash.parse().unwrap()).unwrap();
                assert_eq!(hash, entry["hash"].as_str().unwrap(), "{at}");
                assert_eq!(&*commit.meta.description, entry["message"].as_str().unwrap(), "{at}");
                assert_eq!(&*commit.meta.committer.name, entry["committer"].as_str().unwrap(), "{at}");
                assert!(objects.has_ancestor(&head, &commit).unwrap());
            }
            let root = refs.working_set(branch).unwrap().working;
            assert_eq!(vec![row([&root.to_string()])], rows(&oracle["root_hash"]), "{at}");
            let main = refs.branch_head("main").unwrap();
            let base = objects.merge_base(&main, &head).unwrap().unwrap();
            assert_eq!(vec![row([&base.to_string()])], rows(&oracle["merge_base_with_main"]), "{at}");
            assert_eq!(objects.has_ancestor(&head, &main).unwrap(), base == main.address);
        }
    }
}

#[test]
fn one_history_without_another() {
    for opened in databases("without", &["d_"]) {
        let refs = opened.database.refs().unwrap();
        let objects = refs.objects();
        let [main, feature] = ["main", "feature"].map(|branch| refs.branch(branch).unwrap().unwrap());
        let log = |from: &[_], excluded: &[_]| -> Vec<_> {
            objects.log(from, excluded).unwrap().map(|commit| commit.unwrap().address).collect()
        };
        let (all, common) = (log(&[main], &[]), log(&[feature], &[]));
        let difference: Vec<_> = all.iter().filter(|commit| !common.contains(commit)).copied().collect();
        assert!(!difference.is_empty() && difference.len() < all.len());
        assert_eq!(log(&[main], &[feature]), difference);
        assert_eq!(log(&[feature], &[main]), []);
        assert_eq!(log(&[feature, main], &[]), all);
    }
}

#[test]
fn status_rows() {
    for opened in databases("status", DATABASES) {
        let refs = opened.database.refs().unwrap();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            let mut status: Vec<_> = refs
                .status(branch)
                .unwrap()
                .into_iter()
                .filter(|line| !line.is_ignored)
                .map(|line| row([&line.table, flag(line.is_staged), line.kind.text()]))
                .collect();
            status.sort();
            assert_eq!(status, rows(&oracle["status"]), "{} {branch}", opened.fixture);
            let merge = refs.working_set(branch).unwrap().merge;
            let is_merging = rows(&oracle["merge_status"])[0][0].as_deref() == Some("1");
            assert_eq!(merge.is_some(), is_merging, "{} {branch}", opened.fixture);
        }
    }
}

#[test]
fn revisions_lead_to_commits() {
    for opened in databases("revisions", &["d_"]) {
        let refs = opened.database.refs().unwrap();
        let head = main_head();
        let commit = |text: &str| refs.commit(text, &head).map(|commit| commit.address.to_string());
        let main = &opened.oracle["per_branch"]["main"];
        let hash = |at: usize| main["log"][at]["hash"].as_str().unwrap().to_owned();
        for text in ["HEAD", "head", "main", "heads/main", "refs/heads/main", "main~0", &hash(0)] {
            assert_eq!(commit(text).unwrap(), hash(0), "{text}");
        }
        assert_eq!(commit("v1.0").unwrap(), "urtjah9vhcja3peb5ro2h07t632sb490");
        assert_eq!(commit("refs/tags/v1.0~").unwrap(), hash(2));
        let merged = refs.commit("HEAD^2", &head).unwrap().address;
        assert_eq!(merged, refs.branch("hotfix").unwrap().unwrap());
        assert_eq!(commit("HEAD~").unwrap(), commit("HEAD^1").unwrap());
        assert_eq!(commit("main~1^1").unwrap(), commit("main~2").unwrap());

        let message = |text: &str| commit(text).unwrap_err().to_string();
        assert_eq!(message("nope"), "branch not found: nope");
        assert_eq!(message("HEAD~100000"), "invalid ancestor spec");
        assert_eq!(message("main^3"), "invalid ancestor spec");
        assert_eq!(message("a..b"), "string is not a valid branch or hash");
        assert_eq!(message("00000000000000000000000000000001"), "target commit not found");
        let root = refs.named_root("WORKING", &head).unwrap().root.address();
        assert!(
            matches!(commit(&root.to_string()), Err(error) if matches!(error.reason(), VcsReason::CommitNotFound(_)))
        );

        assert_eq!(refs.revision_database("hotfix").unwrap(), Some(Head::Branch("hotfix".into())));
        assert_eq!(
            refs.revision_database("v1.0").unwrap(),
            Some(Head::Commit("urtjah9vhcja3peb5ro2h07t632sb490".parse().unwrap()))
        );
        assert_eq!(refs.revision_database("nope").unwrap(), None);
        assert_eq!(refs.revision_database("HEAD").unwrap(), None);
        assert!(refs.revision_database("HEAD~1").is_err());
        let detached = Head::Commit(merged);
        assert!(
            matches!(refs.named_root("STAGED", &detached), Err(error) if matches!(error.reason(), VcsReason::DetachedHead))
        );
        assert_eq!(refs.commit("HEAD", &detached).unwrap().address, merged);
    }
}

#[test]
fn moments_lead_to_commits() {
    for opened in databases("moments", &["d_"]) {
        let refs = opened.database.refs().unwrap();
        let head = refs.branch_head("main").unwrap();
        let at = |millis| refs.commit_at(millis, &main_head()).unwrap().map(|commit| commit.address);
        let date = head.meta.committer_millis;
        assert_eq!(at(date), Some(head.address));
        assert_eq!(at(date - 1), Some("urtjah9vhcja3peb5ro2h07t632sb490".parse().unwrap()));
        assert_eq!(at(0), None);
    }
}
