// A process that runs test files one after another, as run-files.ts hands them out. Each is a test of its own whose subtests are those
// of the file, so that the hooks of a file end with it. What the files import is loaded and compiled once.

import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** For a process that is to end: after a moment for what the last file left open, such as a browser. */
const END_WITHIN_MS = 2_000;

let running: string | null = null;

async function runFile(file: string): Promise<void> {
  running = file;
  await test(file, async (t) => {
    const loaded = import(pathToFileURL(resolve(file)).href);
    // A subtest would begin at once, before the rest of its file is evaluated.
    t.before(() => loaded.catch(() => {}));
    await loaded;
  });
}

// The runner fails the test that is running, if one is. An error that comes later would otherwise be an exit code without a reason.
process.on('uncaughtExceptionMonitor', (error) => {
  console.error(`An uncaught error while ${running} was run:`, error);
});

process.on('message', (message: 'end' | { file: string }) => {
  if (message !== 'end') return void runFile(message.file);
  process.channel?.unref();
  setTimeout(() => process.exit(), END_WITHIN_MS).unref();
});
process.on('disconnect', () => process.exit(1));
