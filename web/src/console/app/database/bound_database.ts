/** The database where the person is: its own session follows the one in which statements run. */
import type { Database } from '../../../lib/index.ts';
import { quoteName, revisionName } from '../../sql/names.ts';
import type { Connection } from './connection.ts';

interface Sent {
  readonly place: string;
  readonly arrived: Promise<unknown>;
}

/** Where each session was sent last. It may not have arrived. */
const sent = new WeakMap<Connection, Sent>();

/** Puts the database's own session on the branch that is selected. Statements of a session run in order, so none overtakes. */
export async function boundDatabase(connection: Connection): Promise<Database> {
  const { database, branch } = connection.catalog.place.peek();
  const place = revisionName(database, branch);
  let way = sent.get(connection);
  if (way?.place !== place) {
    way = { place, arrived: connection.database.query(`USE ${quoteName(place)}`) };
    sent.set(connection, way);
  }
  try {
    await way.arrived;
  } catch (error) {
    if (sent.get(connection) === way) sent.delete(connection);
    throw error;
  }
  return connection.database;
}
