export type * from './messages.ts';
export * from './page_layout.ts';
