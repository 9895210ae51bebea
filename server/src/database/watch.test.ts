import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/test-database.ts';
import { watchDatabase } from './watch.ts';

const { url, close } = await openTestDatabase();
after(close);

test('a process that was held up for longer than a ping may take does not think that the database is away', async () => {
  const downs: unknown[] = [];
  const watch = await watchDatabase({ connectionString: url }, {
    onChange: () => {},
    onUp: () => {},
    onDown: (error) => downs.push(error),
    onJobs: () => {},
  } as never);
  const stallUntil = performance.now() + 4_000;
  // A ping goes out every 300 ms: hold the loop right behind one, several times over.
  while (performance.now() < stallUntil) {
    const until = performance.now() + 1_300;
    while (performance.now() < until);
    await new Promise((done) => setImmediate(done));
  }
  assert.ok(watch.isUp());
  assert.deepEqual(downs, []);
  await watch.stop();
});
