import type { Place, Program } from '../../schema/model.ts';
import { quoteName, revisionName } from '../../sql/names.ts';
import type { MenuEntry, MenuGroup } from '../../ui/menu.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { toast } from '../../ui/toast.tsx';
import { nameAt, runInTab, writeInTab } from '../actions.ts';
import { currentConnection } from '../database/connection.ts';

/** Shows what a procedure, a trigger or an event does. */
export function openProgram(place: Place, { name, kind }: Program): void {
  void runInTab(`${name}: definition`, `SHOW CREATE ${kind.toUpperCase()} ${nameAt(place, name)};`);
}

/** What can be done with a program of the tree: most are statements that one can go on from. */
export function programMenu(place: Place, program: Program): readonly MenuGroup[] {
  const name = nameAt(place, program.name);
  const writing = (label: string, onSelect: () => void): MenuEntry => ({ label, icon: 'terminal', onSelect });
  const drop = `DROP ${program.kind.toUpperCase()}`;
  return [
    { entries: [{ label: 'Show the definition', icon: 'play', onSelect: () => openProgram(place, program) }] },
    {
      heading: 'Write a statement',
      entries: [
        ...(program.kind === 'procedure' ? [writing('CALL', () => writeInTab(`CALL ${name}();\n`))] : []),
        writing('Change the definition', () => void writeDefinition(place, program)),
        writing(drop, () => writeInTab(`${drop} ${name};\n`)),
      ],
    },
  ];
}

/** The statement that made it, to be changed, behind the one that makes room for it. */
async function writeDefinition(place: Place, { name, kind }: Program): Promise<void> {
  const full = `${quoteName(revisionName(place.database, place.branch))}.${quoteName(name)}`;
  const word = kind.toUpperCase();
  try {
    const found = await currentConnection()?.database.query(`SHOW CREATE ${word} ${full}`);
    const row = found?.rows[0] ?? {};
    const made = row['SQL Original Statement'] ?? row['Create Procedure'] ?? row['Create Event'];
    writeInTab(`DROP ${word} ${nameAt(place, name)};\n\n${String(made)};\n`);
  } catch (error) {
    toast(messageOf(error), 'failure');
  }
}
