// A shopping list in the storage of the site: live, in all tabs, with a history. Every change is a commit.
import { open } from 'varve';

const database = await open({ opfs: 'shopping', create: true });
await database.query(`CREATE TABLE IF NOT EXISTS items (
  id INT PRIMARY KEY AUTO_INCREMENT,
  name VARCHAR(80) NOT NULL,
  done BOOLEAN NOT NULL DEFAULT FALSE
)`);
// The table is part of the first commit; where it is there already, nothing is left to commit.
if ((await database.query('SELECT * FROM dolt_status')).rows.length > 0) await database.commit('Create the list');

await database.live('SELECT id, name, done FROM items ORDER BY id', ({ rows }) => {
  document.querySelector('#items').replaceChildren(...rows.map(itemOf));
});
await database.live("SELECT commit_hash, message FROM dolt_log WHERE message <> 'Initialize data repository'", log => {
  document
    .querySelector('#history')
    .replaceChildren(
      ...log.rows.map(({ message }) => Object.assign(document.createElement('li'), { textContent: message })),
    );
  document.querySelector('#undo').hidden = log.rows.length < 2;
});

function itemOf({ id, name, done }) {
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: Boolean(done) });
  box.addEventListener('change', async () => {
    await database.query('UPDATE items SET done = ? WHERE id = ?', [box.checked ? 1 : 0, id]);
    await database.commit(`${box.checked ? 'Check' : 'Uncheck'} ${name}`);
  });
  const label = document.createElement('label');
  label.append(box, ` ${name}`);
  const item = document.createElement('li');
  item.append(label);
  return item;
}

const form = document.querySelector('form');
form.addEventListener('submit', async event => {
  event.preventDefault();
  const name = new FormData(form).get('item');
  form.reset();
  await database.query('INSERT INTO items (name) VALUES (?)', [name]);
  await database.commit(`Add ${name}`);
});
form.hidden = false;

document.querySelector('#undo').addEventListener('click', () => database.query("CALL dolt_reset('--hard', 'HEAD~1')"));
