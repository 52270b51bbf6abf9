//! Store files written here, for what no fixture has: old versions, many chunks, damage on purpose.

use codec::{Address, crc32c};
use region::MemoryDirectory;
use store::{ListedFile, Manifest, encode_record};

/// Bytes of an archive. `chunks` names, for each chunk, its dictionary span (0: none) and its data span, counted from 1.
pub fn archive(version: u8, spans: &[Vec<u8>], chunks: &[(Address, u32, u32)]) -> Vec<u8> {
    let mut sorted = chunks.to_vec();
    sorted.sort_unstable();
    let mut bytes = spans.concat();
    let index_start = bytes.len();
    let mut end = 0u64;
    for span in spans {
        end += span.len() as u64;
        bytes.extend(end.to_be_bytes());
    }
    bytes.extend(sorted.iter().flat_map(|(address, ..)| address.prefix().to_be_bytes()));
    for (_, dictionary, data) in &sorted {
        bytes.extend(dictionary.to_be_bytes());
        bytes.extend(data.to_be_bytes());
    }
    bytes.extend(sorted.iter().flat_map(|(address, ..)| address.suffix().to_vec()));
    let index_bytes = bytes.len() - index_start;
    let metadata = br#"{"dolt_version":"2.2.0"}"#;
    bytes.extend(metadata);
    match version {
        3.. => bytes.extend((index_bytes as u64).to_be_bytes()),
        _ => bytes.extend((index_bytes as u32).to_be_bytes()),
    }
    for field in [spans.len(), sorted.len(), metadata.len()] {
        bytes.extend((field as u32).to_be_bytes());
    }
    bytes.extend([0; 192]);
    bytes.push(version);
    bytes.extend(b"DOLTARC");
    bytes
}

/// An archive of Snappy records.
pub fn snappy_archive(chunks: &[Vec<u8>]) -> Vec<u8> {
    let spans: Vec<Vec<u8>> = chunks.iter().map(|chunk| encode_record(chunk).unwrap()).collect();
    let references: Vec<_> = chunks.iter().zip(1..).map(|(chunk, span)| (Address::of(chunk), 0, span)).collect();
    archive(3, &spans, &references)
}

/// Bytes of a table file.
pub fn table_file(chunks: &[Vec<u8>]) -> Vec<u8> {
    let records: Vec<Vec<u8>> = chunks.iter().map(|chunk| encode_record(chunk).unwrap()).collect();
    let addresses: Vec<Address> = chunks.iter().map(|chunk| Address::of(chunk)).collect();
    let mut bytes = records.concat();
    let mut prefixes: Vec<(u64, u32)> = addresses.iter().zip(0..).map(|(address, i)| (address.prefix(), i)).collect();
    prefixes.sort_unstable();
    for (prefix, ordinal) in prefixes {
        bytes.extend(prefix.to_be_bytes());
        bytes.extend(ordinal.to_be_bytes());
    }
    bytes.extend(records.iter().flat_map(|record| (record.len() as u32).to_be_bytes()));
    bytes.extend(addresses.iter().flat_map(|address| address.suffix().to_vec()));
    bytes.extend((chunks.len() as u32).to_be_bytes());
    bytes.extend((chunks.iter().map(Vec::len).sum::<usize>() as u64).to_be_bytes());
    bytes.extend([0xff, 0xb5, 0xd8, 0xc2, 0x24, 0x63, 0xee, 0x50]);
    bytes
}

/// A journal record of these fields.
pub fn journal_record(fields: &[&[u8]]) -> Vec<u8> {
    let fields = fields.concat();
    let mut bytes = ((fields.len() + 8) as u32).to_be_bytes().to_vec();
    bytes.extend(fields);
    bytes.extend(crc32c(&bytes).to_be_bytes());
    bytes
}

pub fn journal_chunk(chunk: &[u8]) -> Vec<u8> {
    journal_record(&[&[1, 2, 2], Address::of(chunk).as_bytes(), &[3], &encode_record(chunk).unwrap()])
}

pub fn journal_root(root: &Address) -> Vec<u8> {
    journal_record(&[&[1, 1, 4], &1_700_000_000u64.to_be_bytes(), &[2], root.as_bytes()])
}

/// Text of a manifest that lists `files` of (id, chunk count).
pub fn manifest(root: &Address, files: &[(Address, u32)]) -> Vec<u8> {
    let lock = Manifest::lock_of(root, files.iter().map(|(id, _)| *id));
    let files = files.iter().map(|(id, chunks)| ListedFile { id: *id, chunks: *chunks }).collect();
    Manifest { version: 5, lock, root: *root, gc_generation: Address::EMPTY, files }.to_string().into_bytes()
}

/// A database of one file: `name` is the file's id with its extension.
pub fn database(root: &Address, name: &str, chunks: u32, bytes: Vec<u8>) -> MemoryDirectory {
    let directory = MemoryDirectory::new();
    directory.insert(".dolt/noms/manifest", manifest(root, &[(name[..32].parse().unwrap(), chunks)]));
    directory.insert(&format!(".dolt/noms/{name}"), bytes);
    directory
}

/// Chunks that differ, a little compressible, of `len` bytes and more.
pub fn chunks(count: u32, len: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|i| {
            let mut chunk = format!("chunk {i} ").into_bytes();
            let mut state = u64::from(i) + 1;
            while chunk.len() < len + i as usize % 7 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                chunk.extend_from_slice(&[(state >> 60) as u8 + b'a', b' ', (state >> 33) as u8]);
            }
            chunk
        })
        .collect()
}
