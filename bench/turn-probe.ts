// Loaded into a server that is measured (--import): the processor time of the longest turn of its event loop. Time that the thread waited
// for a processor is no part of it, so that other load on the machine matters little. At SIGUSR2 it is written into TURN_FILE, and begins anew.

import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const usedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

// The main process of several, and threads, have other work.
if (isMainThread) {
  let longest = 0;
  let last = usedMs();
  // A timer runs once in each turn.
  setInterval(() => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.TURN_FILE as string, String(longest));
    longest = 0;
  });
}
