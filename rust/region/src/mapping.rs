//! Mapping: a file as bytes in memory, faulted in page by page.

use core::cell::Cell;
use core::ops::Range;
use std::rc::Rc;

use crate::advice::{Advice, ReadAhead};
use crate::frame::{FRAME_PAGES_MAX, Frame, Pinned};
use crate::region::{PAGE_BYTES_MIN, Region};
use crate::table::Table;
use crate::{File, FileError, RegionError};

/// How a file's bytes are had, so that the worth of mapping can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Pages are brought in when touched, and stay.
    #[default]
    Mmap,
    /// Each access is a positional read into a buffer of its own; nothing stays.
    Pread,
    /// As `Mmap` inside the range given to [`Mapping::set_index`], as `Pread` outside.
    MmapIndex,
}

/// A mapped file. Its frames go when it is dropped, except pinned ones, which go with their pins.
pub struct Mapping {
    region: Rc<Region>,
    file: Rc<dyn File>,
    name: Rc<str>,
    mode: Mode,
    index: Cell<(u64, u64)>,
    len: Cell<u64>,
    is_growing: Cell<bool>,
    page_shift: u32,
    table: Rc<Table>,
    ahead: ReadAhead,
}

impl Mapping {
    pub(crate) fn new(region: Rc<Region>, file: Rc<dyn File>, name: Rc<str>, mode: Mode) -> Mapping {
        let page_shift = region.page_shift(file.page_bytes());
        let len = Cell::new(file.len());
        let (index, is_growing, table, ahead) = Default::default();
        Mapping { region, file, name, mode, index, len, is_growing, page_shift, table, ahead }
    }

    /// Length when the file was mapped or extended, in bytes.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len.get()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What errors call the file.
    pub fn name(&self) -> &Rc<str> {
        &self.name
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn page_bytes(&self) -> u64 {
        1 << self.page_shift
    }

    /// Says which bytes are the index, for [`Mode::MmapIndex`].
    pub fn set_index(&self, range: Range<u64>) {
        self.index.set((range.start, range.end));
    }

    pub fn advise(&self, advice: Advice) {
        self.ahead.advise(advice);
    }

    /// Says that the file will grow: the memory of its last segment is then taken in steps that double, so that it can be
    /// extended many times before it has to be taken anew.
    pub fn set_growing(&self) {
        self.is_growing.set(true);
    }

    /// Takes the file's current length. What was mapped before stays mapped, except the page in which the file ended, or the
    /// whole last segment when it is pinned, too short, or the file became shorter; pins stay valid. Answers the new length in bytes.
    pub fn extend(&self) -> u64 {
        let new = self.file.len();
        self.take_len(new);
        new
    }

    fn take_len(&self, new: u64) {
        let old = self.len.get();
        if old != new {
            let shift = self.region.segment_shift();
            if new < old || !self.grow_last_segment(old, new) {
                self.table.clear(old.min(new) >> shift..(old >> shift) + 1);
            }
            self.len.set(new);
        }
    }

    /// Keeps the memory of the last segment while the file grows from `old` to `new` bytes; false when it cannot be kept.
    fn grow_last_segment(&self, old: u64, new: u64) -> bool {
        let (segment, end) = self.place(old);
        if end == 0 {
            return true;
        }
        let Some(frame) = self.table.get(segment) else { return true };
        let segment_start = segment << self.region.segment_shift();
        let wanted_len = (new - segment_start).min(1 << self.region.segment_shift());
        if (frame.len() as u64) < wanted_len {
            return false;
        }
        // Where a page begins exactly at the old end, nothing of it is resident.
        let page = end >> self.page_shift;
        end & ((1 << self.page_shift) - 1) == 0 || self.forget_pages(segment, frame, page..page + 1)
    }

    /// Drops pages of a frame; all of it when it is pinned, which is answered with false.
    fn forget_pages(&self, segment: u64, frame: Rc<Frame>, pages: Range<usize>) -> bool {
        self.change_pages(segment, frame, pages.clone(), |frame| pages.for_each(|page| frame.forget(page)))
    }

    /// Changes a frame, if any of `pages` is resident. Drops all of it when it is pinned, which is answered with false.
    fn change_pages(
        &self,
        segment: u64,
        frame: Rc<Frame>,
        mut pages: Range<usize>,
        change: impl FnOnce(&mut Frame),
    ) -> bool {
        if !pages.any(|page| frame.is_resident(page)) {
            return true;
        }
        self.table.remove(segment, &frame);
        let Ok(mut frame) = Rc::try_unwrap(frame) else { return false };
        change(&mut frame);
        self.region.seat_frame(&self.table, segment, frame);
        true
    }

    /// Drops the pages of a range: the file has other bytes there than when they were brought in. Pins stay as they are.
    pub fn forget(&self, range: Range<u64>) {
        self.each_part(range, |segment, frame, part| {
            let pages = frame.pages(part.start, part.len());
            self.forget_pages(segment, frame, pages);
        });
    }

    /// Drops the pages of a range, whose bytes are wrong, here and at the host. Pins stay as they are.
    pub fn renew(&self, range: Range<u64>) {
        self.forget(range.clone());
        self.file.renew(range);
    }

    /// Puts `bytes`, which are in the file by now, into the pages that are resident. Pins stay as they are.
    fn replace(&self, offset: u64, bytes: &[u8]) {
        let shift = self.region.segment_shift();
        self.each_part(offset..offset + bytes.len() as u64, |segment, frame, part| {
            let done = ((segment << shift) + part.start as u64 - offset) as usize;
            let bytes = &bytes[done..done + part.len()];
            let pages = frame.pages(part.start, part.len());
            self.change_pages(segment, frame, pages, |frame| frame.replace(part.start, bytes));
        });
    }

    /// Calls `each` with every frame that has bytes of `range`, and with the place of these in the frame.
    fn each_part(&self, range: Range<u64>, mut each: impl FnMut(u64, Rc<Frame>, Range<usize>)) {
        let shift = self.region.segment_shift();
        let mut start = range.start;
        while start < range.end.min(self.len()) {
            let (segment, at) = self.place(start);
            let next = (segment + 1) << shift;
            if let Some(frame) = self.table.get(segment) {
                let end = (range.end.min(self.len()).min(next) - (segment << shift)).min(frame.len() as u64) as usize;
                if at < end {
                    each(segment, frame, at..end);
                }
            }
            start = next;
        }
    }

    /// Writes `bytes` at the end of the file, where they can be read at once.
    ///
    /// # Errors
    /// As [`Mapping::write_at`].
    pub fn append(&self, bytes: &[u8]) -> Result<(), RegionError> {
        self.write_at(self.len(), bytes)
    }

    /// Writes `bytes` at an offset that is at most the length of the file, where they can be read at once. The caller is the only writer.
    ///
    /// # Errors
    /// What the host says. The file is as long as it is then: [`Mapping::truncate`] takes away what was written.
    pub fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), RegionError> {
        let outcome = self.file.write_at(offset, bytes);
        match outcome {
            Ok(()) => {
                self.replace(offset, bytes);
                self.take_len(self.len().max(offset + bytes.len() as u64));
            }
            Err(_) => {
                self.forget(offset..offset + bytes.len() as u64);
                self.extend();
            }
        }
        outcome.map_err(|error| self.file_error(error))
    }

    /// Cuts the file to `len` bytes, or extends it with zeros. The caller is the only writer.
    ///
    /// # Errors
    /// What the host says.
    pub fn truncate(&self, len: u64) -> Result<(), RegionError> {
        let outcome = self.file.truncate(len);
        self.extend();
        outcome.map_err(|error| self.file_error(error))
    }

    /// Returns when everything written so far would survive a crash.
    ///
    /// # Errors
    /// What the host says; nothing is known about what was written then.
    pub fn flush(&self) -> Result<(), RegionError> {
        self.file.flush().map_err(|error| self.file_error(error))
    }

    /// Fills `dest` from the file itself, past all pages: to see what another writer may have replaced.
    ///
    /// # Errors
    /// What the host says.
    pub fn read_past_pages(&self, offset: u64, dest: &mut [u8]) -> Result<(), RegionError> {
        self.read(offset, dest)
    }

    /// Announces ranges that will be read soon: those that are not resident, in pages, merged, go to [`File::will_need`]. Ranges
    /// may come in any order and overlap; bytes past the end are ignored.
    pub fn will_need(&self, ranges: &[Range<u64>]) {
        let page_bytes = self.page_bytes();
        let mut wanted: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            let end = range.end.min(self.len());
            if range.start >= end {
                continue;
            }
            if !self.is_mapped(range.start, end) {
                wanted.push(range.start..end);
                continue;
            }
            for page in range.start >> self.page_shift..((end - 1) >> self.page_shift) + 1 {
                if !self.is_page_resident(page) {
                    wanted.push(page * page_bytes..((page + 1) * page_bytes).min(self.len()));
                }
            }
        }
        wanted.sort_unstable_by_key(|range| (range.start, range.end));
        wanted.dedup_by(|next, merged| {
            let joins = next.start <= merged.end;
            if joins {
                merged.end = merged.end.max(next.end);
            }
            joins
        });
        if !wanted.is_empty() {
            self.region.counters.announced.add(wanted.len() as u64);
            self.file.will_need(&wanted);
        }
    }

    /// The bytes `[offset, offset + len)`, which stay in place while the answer lives.
    ///
    /// # Errors
    /// [`RegionError`] when the range is not inside the file, the file cannot be read, or the budget is pinned full.
    #[inline]
    pub fn bytes(&self, offset: u64, len: usize) -> Result<Pinned, RegionError> {
        let (segment, start) = self.place(offset);
        let hit = self.table.with(segment, |frame| {
            frame.referenced.set(true);
            Pinned::new(frame.clone(), start, len)
        });
        // Resident bytes past the end of the file do not exist: a frame ends with its file, up to the page, and a page's last
        // bytes are checked here.
        match hit {
            Some(pinned) if offset + len as u64 <= self.len() => {
                self.region.counters.hits.add(1);
                Ok(pinned)
            }
            _ => self.bring(offset, len),
        }
    }

    /// Copies the bytes at `offset` to `dest`: for small fixed structures, and for bytes that are wanted elsewhere anyway.
    ///
    /// # Errors
    /// As [`Mapping::bytes`].
    pub fn copy_to(&self, offset: u64, dest: &mut [u8]) -> Result<(), RegionError> {
        let end = self.check(offset, dest.len())?;
        if !self.is_mapped(offset, end) {
            return self.read(offset, dest);
        }
        let mut at = 0;
        while at < dest.len() {
            let (_, start) = self.place(offset + at as u64);
            let part_len = (dest.len() - at).min((1 << self.region.segment_shift()) - start);
            let part = &mut dest[at..at + part_len];
            match self.resident_frame(offset + at as u64, part_len)? {
                Some(frame) => match frame.resident(start, part_len) {
                    Some(bytes) => part.copy_from_slice(bytes),
                    None => return Err(self.budget_error(offset, part_len)),
                },
                None => {
                    self.region.counters.copies.add(1);
                    self.read(offset + at as u64, part)?;
                }
            }
            at += part_len;
        }
        Ok(())
    }

    /// The big-endian integer at `offset`, without a pin: what index probes use.
    ///
    /// # Errors
    /// As [`Mapping::bytes`].
    #[inline]
    pub fn u64_be(&self, offset: u64) -> Result<u64, RegionError> {
        self.array(offset).map(u64::from_be_bytes)
    }

    /// As [`Mapping::u64_be`], four bytes.
    #[inline]
    pub fn u32_be(&self, offset: u64) -> Result<u32, RegionError> {
        self.array(offset).map(u32::from_be_bytes)
    }

    /// The `N` bytes at `offset` by value.
    ///
    /// # Errors
    /// As [`Mapping::bytes`].
    #[inline]
    pub fn array<const N: usize>(&self, offset: u64) -> Result<[u8; N], RegionError> {
        let (segment, start) = self.place(offset);
        let hit = self.table.with(segment, |frame| {
            let bytes = frame.resident(start, N)?;
            frame.referenced.set(true);
            bytes.first_chunk().copied()
        });
        match hit {
            Some(bytes) if offset + N as u64 <= self.len() => {
                self.region.counters.hits.add(1);
                Ok(bytes)
            }
            _ => {
                let mut bytes = [0; N];
                self.copy_to(offset, &mut bytes)?;
                Ok(bytes)
            }
        }
    }

    /// Segment of `offset`, and the place in it.
    #[inline]
    fn place(&self, offset: u64) -> (u64, usize) {
        let shift = self.region.segment_shift();
        (offset >> shift, (offset & ((1 << shift) - 1)) as usize)
    }

    fn check(&self, offset: u64, len: usize) -> Result<u64, RegionError> {
        match offset.checked_add(len as u64) {
            Some(end) if end <= self.len() => Ok(end),
            _ => Err(RegionError::PastEnd {
                file: self.name.clone(),
                offset_bytes: offset,
                wanted_bytes: len as u64,
                length_bytes: self.len(),
            }),
        }
    }

    fn is_mapped(&self, start: u64, end: u64) -> bool {
        match self.mode {
            Mode::Mmap => true,
            Mode::Pread => false,
            Mode::MmapIndex => self.index.get().0 <= start && end <= self.index.get().1,
        }
    }

    fn is_page_resident(&self, page: u64) -> bool {
        let (segment, start) = self.place(page << self.page_shift);
        self.table.with(segment, |frame| Some(frame.is_resident(start >> self.page_shift))).unwrap_or(false)
    }

    /// The slow side of [`Mapping::bytes`].
    #[cold]
    fn bring(&self, offset: u64, len: usize) -> Result<Pinned, RegionError> {
        let end = self.check(offset, len)?;
        if len == 0 {
            return Ok(Pinned::empty());
        }
        let (_, start) = self.place(offset);
        if self.is_mapped(offset, end) {
            if start + len > 1 << self.region.segment_shift() {
                self.region.counters.straddles.add(1);
                return self.own_copy(offset, len, |dest| self.copy_to(offset, dest));
            }
            if let Some(frame) = self.resident_frame(offset, len)?
                && let Some(pinned) = Pinned::new(frame, start, len)
            {
                return Ok(pinned);
            }
        }
        self.region.counters.copies.add(1);
        self.own_copy(offset, len, |dest| self.read(offset, dest))
    }

    /// The frame of the segment of `offset`, with `len` bytes from there resident. The range does not leave the segment. `None`
    /// when no frame could be had.
    fn resident_frame(&self, offset: u64, len: usize) -> Result<Option<Rc<Frame>>, RegionError> {
        let (segment, start) = self.place(offset);
        let segment_start = segment << self.region.segment_shift();
        let frame = match self.table.get(segment) {
            Some(frame) => frame,
            None => {
                // The last segment takes no more memory than the file has bytes.
                let segment_bytes = 1 << self.region.segment_shift();
                let bytes = (self.len() - segment_start).min(segment_bytes) as usize;
                let frame_len = match self.is_growing.get() {
                    true => (bytes + 1).next_power_of_two().clamp(1 << self.page_shift, segment_bytes as usize),
                    false => bytes.next_multiple_of(PAGE_BYTES_MIN),
                };
                match self.region.seat(&self.table, segment, frame_len, self.page_shift) {
                    Some(frame) => frame,
                    None => return Ok(None),
                }
            }
        };
        frame.referenced.set(true);
        let pages = frame.pages(start, len);
        let mut missing = pages.clone().filter(|page| !frame.is_resident(*page));
        let Some(first) = missing.next() else {
            self.region.counters.hits.add(1);
            return Ok(Some(frame));
        };
        let last = missing.next_back().unwrap_or(first);
        let file_page = segment_start >> self.page_shift;
        let ahead = self.ahead.after(file_page + first as u64..file_page + last as u64 + 1);
        self.fill(&frame, segment_start, first..last + 1, ahead)?;
        Ok(Some(frame))
    }

    /// Brings in the absent pages of `pages` and up to `ahead` pages after them, one read for each run.
    fn fill(&self, frame: &Frame, segment_start: u64, pages: Range<usize>, ahead: u64) -> Result<(), RegionError> {
        let frame_end = (self.len() - segment_start).min(frame.len() as u64) as usize;
        let frame_pages = frame_end.div_ceil(1 << self.page_shift);
        let counters = &self.region.counters;
        let end = frame_pages.min(pages.end + ahead.min(FRAME_PAGES_MAX as u64) as usize);
        let mut page = pages.start;
        while page < end {
            if frame.is_resident(page) {
                page += 1;
                continue;
            }
            let run_start = page;
            while page < end && !frame.is_resident(page) {
                page += 1;
            }
            let offset = segment_start + ((run_start as u64) << self.page_shift);
            let run_end = frame_end.min(page << self.page_shift);
            frame
                .fill(run_start..page, run_end, |dest| {
                    counters.reads.add(1);
                    counters.bytes.add(dest.len() as u64);
                    self.file.read_at(offset, dest)
                })
                .map_err(|error| self.file_error(error))?;
            let touched = page.min(pages.end).saturating_sub(run_start) as u64;
            counters.faults.add(touched);
            counters.ahead.add((page - run_start) as u64 - touched);
        }
        let reached = (segment_start >> self.page_shift) + end as u64;
        self.ahead.reached(reached);
        // What the window holds beyond this segment is the host's to fetch while we work.
        let beyond = (pages.end as u64 + ahead).saturating_sub(frame_pages as u64);
        if beyond > 0 && reached << self.page_shift < self.len() {
            let range = reached << self.page_shift..(reached + beyond) << self.page_shift;
            self.will_need(core::slice::from_ref(&range));
        }
        Ok(())
    }

    /// A frame of `len` bytes of its own, filled by `read`.
    fn own_copy(
        &self,
        offset: u64,
        len: usize,
        read: impl FnOnce(&mut [u8]) -> Result<(), RegionError>,
    ) -> Result<Pinned, RegionError> {
        // One page holds everything: the copy is whole or absent.
        let page_shift = len.next_power_of_two().trailing_zeros();
        let frame = self.region.frame(len, page_shift).ok_or_else(|| self.budget_error(offset, len))?;
        let mut outcome = Ok(());
        let filled = frame.fill(0..1, len, |dest| {
            outcome = read(dest);
            outcome.as_ref().map(|_| ()).map_err(|_| FileError::Gone)
        });
        outcome?;
        filled.map_err(|error| self.file_error(error))?;
        Pinned::new(Rc::new(frame), 0, len).ok_or_else(|| self.budget_error(offset, len))
    }

    /// A plain positional read.
    fn read(&self, offset: u64, dest: &mut [u8]) -> Result<(), RegionError> {
        self.region.counters.reads.add(1);
        self.region.counters.bytes.add(dest.len() as u64);
        self.file.read_at(offset, dest).map_err(|error| self.file_error(error))
    }

    fn file_error(&self, error: FileError) -> RegionError {
        RegionError::File { file: self.name.clone(), error }
    }

    fn budget_error(&self, offset: u64, len: usize) -> RegionError {
        RegionError::Budget {
            file: self.name.clone(),
            offset_bytes: offset,
            wanted_bytes: len as u64,
            used_bytes: self.region.budget().used_bytes(),
            budget_bytes: self.region.budget().limit_bytes(),
        }
    }
}
