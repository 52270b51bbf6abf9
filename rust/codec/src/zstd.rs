//! Zstandard frames with and without a dictionary (docs/format/store.md, section 5.3).
//!
//! Frames that Dolt makes carry their content size and dictionary id but no checksum: a damaged frame may decode to wrong
//! bytes, so the reader checks the chunk's address.

use core::cell::{OnceCell, RefCell};

use zstd_rs::{
    CompressionConfig, Compressor, DecoderDictionary, Decompressor, DictionaryFormat, EncoderDictionary, FrameHeader,
};

use crate::Corrupt;

/// The level that Dolt writes with.
const LEVEL: i32 = 3;
/// The decoder works in a buffer that is this much longer than its output.
const DECODER_SLACK_BYTES: usize = 32;

/// A dictionary with its tables built once, for any number of frames.
pub struct Dictionary {
    decoder: DecoderDictionary,
    encoder: OnceCell<EncoderDictionary>,
}

impl Dictionary {
    /// Prepares `bytes`: a trained dictionary (starts with `37 a4 30 ec`), or else raw content.
    ///
    /// # Errors
    /// [`Corrupt`] when the tables of a trained dictionary are malformed.
    pub fn new(bytes: &[u8]) -> Result<Dictionary, Corrupt> {
        let parsed = zstd_rs::Dictionary::new(bytes, DictionaryFormat::Detect).map_err(corrupt)?;
        Ok(Dictionary { decoder: DecoderDictionary::new(parsed).map_err(corrupt)?, encoder: OnceCell::new() })
    }

    /// Id that frames name; 0 for raw content.
    pub fn id(&self) -> u32 {
        self.decoder.dictionary().id()
    }

    fn encoder(&self) -> Result<&EncoderDictionary, Corrupt> {
        if let Some(encoder) = self.encoder.get() {
            return Ok(encoder);
        }
        let encoder = EncoderDictionary::new(self.decoder.dictionary(), LEVEL).map_err(corrupt)?;
        Ok(self.encoder.get_or_init(|| encoder))
    }
}

thread_local! {
    // The decoder's predefined tables cost more to build than a small frame costs to decode.
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::new(Decompressor::new());
    // A compressor has 100 KiB of tables and more.
    static COMPRESSOR: RefCell<Option<Compressor>> = const { RefCell::new(None) };
}

/// Decompresses all of `frame` into a fresh buffer.
///
/// # Errors
/// [`Corrupt`] when the frame is malformed, needs another dictionary, holds nothing, or would be longer than `max_len`
/// bytes (checked against the declared length before allocating, and again while decoding).
pub fn decompress(frame: &[u8], dictionary: Option<&Dictionary>, max_len: usize) -> Result<Vec<u8>, Corrupt> {
    let header = FrameHeader::parse(frame).map_err(corrupt)?;
    let declared_len = header.content_size.unwrap_or(0);
    if declared_len > max_len as u64 {
        return Err(Corrupt::new("zstd frame is longer than a chunk may be", 0));
    }
    let mut chunk = Vec::with_capacity(declared_len as usize + DECODER_SLACK_BYTES);
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        decompressor
            .decompress(frame, dictionary.map(|dictionary| &dictionary.decoder), max_len, &mut chunk)
            .map_err(corrupt)
    })?;
    Ok(chunk)
}

/// Compresses `chunk` into one frame as Dolt does: level 3, content size and dictionary id recorded, no checksum.
pub fn compress(chunk: &[u8], dictionary: Option<&Dictionary>) -> Result<Vec<u8>, Corrupt> {
    let encoder = dictionary.map(Dictionary::encoder).transpose()?;
    let mut frame = Vec::new();
    COMPRESSOR.with_borrow_mut(|kept| {
        let made = match kept.take() {
            Some(compressor) => Ok(compressor),
            None => Compressor::new(CompressionConfig { level: LEVEL, ..CompressionConfig::DEFAULT }),
        };
        let compressor = kept.insert(made.map_err(corrupt)?);
        compressor.compress(chunk, encoder, &mut frame).map_err(corrupt)
    })?;
    Ok(frame)
}

fn corrupt(error: zstd_rs::Error) -> Corrupt {
    use zstd_rs::Error;
    let what = match error {
        Error::Truncated => "zstd frame ends too early",
        Error::BadMagic => "zstd frame has no zstd magic number",
        Error::WindowTooLarge => "zstd window is too large",
        Error::MissingDictionary => "zstd frame needs a dictionary",
        Error::WrongDictionary => "zstd frame was made with another dictionary",
        Error::OutputLimit => "zstd frame is longer than a chunk may be",
        Error::Checksum => "zstd checksum does not match",
        Error::ContentSize => "zstd frame does not have its declared length",
        Error::BadDictionary(_) => "zstd dictionary is malformed",
        _ => "zstd frame is malformed",
    };
    Corrupt::new(what, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seed: u32, len: usize) -> Vec<u8> {
        let mut state = seed;
        let mut step = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let words: [&[u8]; 6] = [b"commit", b"branch ", b"row", b" of ", b"table", b"\0\x01\x02"];
        let mut text = Vec::new();
        while text.len() < len {
            text.extend_from_slice(words[step() as usize % words.len()]);
            text.push(step() as u8);
        }
        text.truncate(len);
        text
    }

    #[test]
    fn round_trips_with_and_without_dictionary() {
        let dictionary = Dictionary::new(&text(1, 4096)).unwrap();
        for (seed, len) in [(2, 0), (3, 1), (4, 4000), (5, 300_000)] {
            let chunk = text(seed, len);
            for dictionary in [None, Some(&dictionary)] {
                let frame = compress(&chunk, dictionary).unwrap();
                let back = decompress(&frame, dictionary, chunk.len()).unwrap();
                assert_eq!(back, chunk);
                assert!(
                    back.capacity() <= chunk.len() + DECODER_SLACK_BYTES,
                    "the buffer becomes the node: no doubling"
                );
                assert!(len == 0 || decompress(&frame, dictionary, len - 1).is_err());
            }
        }
    }

    #[test]
    fn agrees_with_the_reference_library() {
        let samples: Vec<Vec<u8>> = (0..200).map(|seed| text(seed, 2000)).collect();
        let all = samples.concat();
        let sizes = vec![2000; 200];
        let mut trained = vec![0; 4096];
        let len = zstd_safe::train_from_buffer(&mut trained[..], &all, &sizes).unwrap();
        trained.truncate(len);
        let dictionary = Dictionary::new(&trained).unwrap();
        assert_ne!(dictionary.id(), 0);
        let mut compressor = zstd_safe::CCtx::create();
        let mut decompressor = zstd_safe::DCtx::create();
        for seed in 1000..1100 {
            let chunk = text(seed, 100 + 37 * seed as usize % 9000);
            let mut frame = [0; 20_000];
            let len = compressor.compress_using_dict(&mut frame[..], &chunk, &trained, 3).unwrap();
            assert_eq!(decompress(&frame[..len], Some(&dictionary), 1 << 20).unwrap(), chunk);
            let ours = compress(&chunk, Some(&dictionary)).unwrap();
            let mut back = [0; 20_000];
            let len = decompressor.decompress_using_dict(&mut back[..], &ours, &trained).unwrap();
            assert_eq!(back[..len], chunk);
        }
    }

    #[test]
    fn damaged_frames_return() {
        let dictionary = Dictionary::new(&text(1, 4096)).unwrap();
        let frame = compress(&text(2, 4000), Some(&dictionary)).unwrap();
        let mut refused = 0;
        for at in 0..frame.len() {
            for mask in [1, 0x80, 0xff] {
                let mut damaged = frame.clone();
                damaged[at] ^= mask;
                let outcome = decompress(&damaged, Some(&dictionary), 8000);
                refused += usize::from(outcome.is_err());
                assert!(outcome.is_err() || outcome.unwrap().len() <= 8000);
            }
            assert!(decompress(&frame[..at], Some(&dictionary), 8000).is_err());
        }
        assert!(refused > 0);
    }
}
