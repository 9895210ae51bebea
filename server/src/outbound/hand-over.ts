// Gives answers to their callers. Whoever gets a large one decodes, checks and writes it for some 10 ms: so one large answer is
// given in a turn of the event loop, and others are served in between, however many of them came together.

const LARGE_BYTES = 64 * 1024;

let waiting: (() => void)[] = [];

export function handOver(bytes: number, give: () => void): void {
  if (bytes < LARGE_BYTES) give();
  else if (waiting.push(give) === 1) setImmediate(giveNext);
}

function giveNext(): void {
  const [give, ...rest] = waiting;
  waiting = rest;
  if (rest.length > 0) setImmediate(giveNext);
  give?.();
}
