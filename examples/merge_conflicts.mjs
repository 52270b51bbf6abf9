// A merge with conflicts: two branches change the prices of the same products, and each conflict is resolved by a rule.
//
// node examples/merge_conflicts.mjs
import { open } from 'varve';

const database = await open({ empty: 'shop' });
try {
  await database.query('CREATE TABLE products (id INT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8,2))');
  await database.query("INSERT INTO products VALUES (1, 'Bread', 3.00), (2, 'Butter', 2.50), (3, 'Milk', 1.20)");
  await database.commit('Add products');

  // The branch `sale` lowers prices. A session has a branch of its own, so that `database` stays on main.
  await database.query("CALL dolt_branch('sale')");
  const sale = await database.session();
  await sale.query("CALL dolt_checkout('sale')");
  await sale.query('UPDATE products SET price = price * 0.8 WHERE id IN (1, 2)');
  await sale.query("CALL dolt_commit('-a', '-m', 'Lower prices')");
  await sale.close();

  // Meanwhile main raises one of these prices, and removes the other product.
  await database.query('UPDATE products SET price = 3.20 WHERE id = 1');
  await database.query('DELETE FROM products WHERE id = 2');
  await database.commit('Raise bread, drop butter');

  const merged = await database.merge('sale');
  console.log(`merge: ${merged.outcome}`);
  for (const { table, count } of merged.conflicts) console.log(`${table}: ${count} conflicts`);

  // The rule: a product that one side removed stays removed; of two prices the lower one is taken.
  const resolutions = [];
  for await (const { id, base, ours, theirs } of database.conflicts('products')) {
    console.log(`  ${base.name}: ${priceOf(base)} -> ours ${priceOf(ours)}, theirs ${priceOf(theirs)}`);
    if (ours === null || theirs === null) resolutions.push({ id, row: null });
    else resolutions.push({ id, take: Number(ours.price) <= Number(theirs.price) ? 'ours' : 'theirs' });
  }
  await database.resolveRows('products', resolutions);
  await database.commit('Merge the sale');

  for (const { name, price } of (await database.query('SELECT name, price FROM products ORDER BY id')).rows) {
    console.log(`${name}: ${price}`);
  }
} finally {
  await database.close();
}

function priceOf(row) {
  return row === null ? 'removed' : row.price;
}
