/** Entry for `generatedColumns`, which the console loads on demand. */

export { generatedColumnsOf } from '../client/generated_columns.ts';
