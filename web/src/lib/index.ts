/** The npm package's entry in browsers. Importing it touches nothing: no worker, no global, no network. */
export * from '../client/index.ts';
