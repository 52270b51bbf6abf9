/** The database where the person is: its own session follows the one in which statements run. */
import type { Database } from '../../lib/index.ts';
import { quoteName, revisionName } from '../sql/names.ts';
import type { Connection } from './connection.ts';

const places = new WeakMap<Connection, string>();

/** Puts the database's own session on the branch that is selected. Statements of a session run in order, so none overtakes. */
export async function here(connection: Connection): Promise<Database> {
  const { database, branch } = connection.catalog.place.peek();
  const place = revisionName(database, branch);
  if (places.get(connection) !== place) {
    await connection.database.query(`USE ${quoteName(place)}`);
    places.set(connection, place);
  }
  return connection.database;
}
