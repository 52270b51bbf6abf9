//! A bundle: several messages in one input, each after its length (four bytes, big-endian). Children come before their parents.

/// The messages of a bundle; what is left at the end is the last one.
pub fn unpack(mut input: &[u8]) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    while let Some((length, rest)) = input.split_first_chunk::<4>() {
        let length = (u32::from_be_bytes(*length) as usize).min(rest.len());
        let (message, after) = rest.split_at(length);
        messages.push(message.to_vec());
        input = after;
    }
    messages
}

pub fn pack(messages: &[Vec<u8>]) -> Vec<u8> {
    messages.iter().flat_map(|message| [&(message.len() as u32).to_be_bytes()[..], message].concat()).collect()
}
