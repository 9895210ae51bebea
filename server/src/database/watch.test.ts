import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDatabaseProxy } from '../../test/support/database/database-proxy.ts';
import { copyTemplate } from '../../test/support/database/test-database.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { startResponseTimer } from './response-timer.ts';
import { watchDatabase } from './watch.ts';

const blockEventLoop = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

test('a blocked process reads the socket before it reports a timeout', async () => {
  let hasTimedOut = false;
  const timer = startResponseTimer(1_000, () => {
    hasTimedOut = true;
  });
  blockEventLoop(1_500);
  // Timers run, then sockets are read, then this: a response would have been read by now.
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  assert.equal(hasTimedOut, false);
  timer.cancel();
});

test('no response within the whole time is reported', async () => {
  await new Promise<void>((done) => startResponseTimer(20, done));
});

test('when the connection hangs before LISTEN is answered, the watch opens another one', async () => {
  const database = await copyTemplate();
  after(database.drop);
  const proxy = await startDatabaseProxy(database.url);
  let ups = 0;
  const ignore = () => {};
  const direct = { connectionString: proxy.url };
  const watch = await watchDatabase(
    { direct, connection: direct },
    {
      onChange: ignore,
      onJobs: ignore,
      onUp: () => {
        ups += 1;
      },
      onCurrent: ignore,
      onLost: ignore,
      onDown: ignore,
    },
  );
  try {
    proxy.loseNextMarker();
    proxy.cutMarked();
    await waitUntil(async () => ups >= 2 && watch.isUp(), 20_000, 'it receives notifications again');
  } finally {
    // Without its sockets a watch that hangs can stop too.
    await proxy.cut();
    await watch.stop();
  }
});
