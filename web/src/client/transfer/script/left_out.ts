/** Statements of dumps that cannot run here and that an import passes over, listing them. Pure. */
import { SqlError } from '../../errors.ts';
import { clientCommand } from './client_commands.ts';

/** Files may name each other so deep. */
export const SOURCE_DEPTH_MAX = 16;

const VIEW = /^(?:\/\*!\d*\s*)?create\b[^(]{0,400}?\bview\b/i;
/** What a view reads is not there: ER_NO_SUCH_TABLE, ER_VIEW_INVALID. */
const NOTHING_THERE: ReadonlySet<number> = new Set([1146, 1356]);
const NO_FUNCTION = /^function: '.*' not found$/;
const FUNCTION =
  /^(?:\/\*!\d*\s*)?((?:create|drop|alter)\b)[^(;]{0,400}?\bfunction\s+(?:if\s+(?:not\s+)?exists\s+)?(`(?:[^`]|``)*`|[^\s(;]+)/i;
const NO_STATEMENT = /^(?:unsupported feature: stored functions|syntax error)/;

/** Why a statement that failed is left out, or null for one whose failure is that of the import. */
export function leftOut(error: unknown, sql: string): string | null {
  if (!(error instanceof SqlError)) return null;
  const { errno, message, hint } = error;
  const command = clientCommand(sql);
  if (command !== null) {
    const what = command.kind === 'source' ? `${command.word} ${command.argument}` : command.word;
    return `${what} is skipped: ${message}${hint === undefined ? '' : `: ${hint}`}`;
  }
  // Dumps divide a statement among comments for several versions.
  const head = sql.slice(0, 1000).replaceAll(/\*\/\s*\/\*!\d*/g, ' ');
  const [, verb, name] = (NO_STATEMENT.test(message) && FUNCTION.exec(head)) || [];
  if (verb !== undefined)
    return `the function is skipped: there are no stored functions here (${verb.toUpperCase()} FUNCTION ${name})`;
  const isUnknown = NOTHING_THERE.has(errno) || NO_FUNCTION.test(message);
  return isUnknown && VIEW.test(head) ? `the view is skipped: ${message}` : null;
}
