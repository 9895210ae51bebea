// Preloaded into a server (`--import`): measures how late its event loop is, and tells the bench when it asks. The time in which the
// thread was ready to run but had no processor is measured beside it: that part is the machine's, not the server's.

import { openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** When a timer is due. */
const EVERY_MS = 5;

export type Delays = {
  /** Milliseconds that each timer was late. */
  late: number[];
  /** The part of it in which this process ran: its main thread, or another thread of it in the place of that. */
  of_process: number[];
  /** The part of it in which the main thread ran. */
  of_main: number[];
};

const noDelays = (): Delays => ({ late: [], of_process: [], of_main: [] });

const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const text = Buffer.alloc(128);

/** In milliseconds since the start. `waited`: the main thread was ready to run and had no processor. `others`: other threads ran. */
function read(): { now: number; waited: number; others: number } {
  const length = readSync(schedstat, text, 0, text.length, 0);
  const [ran = 0, waited = 0] = text.toString('latin1', 0, length).split(' ', 2).map(Number);
  const { user, system } = process.cpuUsage();
  return { now: performance.now(), waited: waited / 1e6, others: (user + system) / 1e3 - ran / 1e6 };
}

let delays = noDelays();
let last = read();

function tick(): void {
  const current = read();
  const late = Math.max(0, current.now - last.now - EVERY_MS);
  const of_main = Math.max(0, late - (current.waited - last.waited));
  delays.late.push(late);
  delays.of_main.push(of_main);
  delays.of_process.push(Math.min(late, of_main + Math.max(0, current.others - last.others)));
  last = current;
  setTimeout(tick, EVERY_MS).unref();
}

if (isMainThread) {
  setTimeout(tick, EVERY_MS).unref();
  process.on('message', () => {
    process.send?.(delays);
    delays = noDelays();
  });
  process.channel?.unref();
}
