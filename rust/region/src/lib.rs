//! Files as page-mapped ranges of linear memory: mmap where there is none.
