export { generatedColumns } from '../client/generated_columns.ts';
