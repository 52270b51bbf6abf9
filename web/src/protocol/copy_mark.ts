/**
 * A file in the directory of a database that is being copied there, until its manifest is written: without a manifest, it says that an
 * interrupted copy left the other files.
 */
export const COPY_MARK = '.dolt/varve/copying';
