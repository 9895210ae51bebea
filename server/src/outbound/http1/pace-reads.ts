// Large responses are read in turns. A connection would otherwise read megabytes at once, which takes 5 ms for each, and a
// hundred connections one after the other: all other work of the process would wait for them.

/** For a response: so much is read as it comes. */
export const READ_AT_ONCE_BYTES = 64 * 1024;
/** In an iteration of the event loop. Each reads at most 64 KiB, which takes about 0.3 ms. */
const TURNS = 4;

const waiting = new Set<Paused>();
let is_scheduled = false;

export type Paused = { resume(): unknown };

/** Resumes the socket when it is its turn. */
export function resumeInTurn(socket: Paused): void {
  waiting.add(socket);
  if (is_scheduled) return;
  is_scheduled = true;
  setImmediate(resumeNext);
}

function resumeNext(): void {
  let turns = 0;
  for (const socket of waiting) {
    waiting.delete(socket);
    socket.resume();
    turns += 1;
    if (turns === TURNS) break;
  }
  is_scheduled = waiting.size > 0;
  if (is_scheduled) setImmediate(resumeNext);
}
