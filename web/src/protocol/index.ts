/** The exports of the protocol. */

export * from './bits.ts';
export { COPY_MARK } from './copy_mark.ts';
export { crc32 } from './crc32.ts';
export * from './engine_layout.ts';
export * from './inflate.ts';
export { messageOf } from './message_of.ts';
export type * from './messages.ts';
export { contentName, JOURNAL_ID } from './store_files.ts';
