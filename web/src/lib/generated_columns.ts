export { generatedColumnsOf } from '../client/generated_columns.ts';
