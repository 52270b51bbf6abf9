import { effect } from '@preact/signals';
import { type Connection, currentConnection } from './connection.ts';

/** Has `watch` run for each database that outlives the page, while it is open; what that gives ends it. The result ends all. */
export function whileStored(watch: (connection: Connection) => () => void): () => void {
  let stop = () => {};
  const end = effect(() => {
    const connection = currentConnection();
    stop();
    stop = connection?.database.storage.persistent === true ? watch(connection) : () => {};
  });
  return () => {
    end();
    stop();
  };
}
