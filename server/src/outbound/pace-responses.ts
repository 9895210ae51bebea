// Delivers responses to their callers. Decoding, validating and writing a large response takes its caller about 10 ms, so at
// most one large response is delivered per event loop iteration, and other work runs in between.

const LARGE_BYTES = 64 * 1024;

let waiting: (() => void)[] = [];

export function deliverPaced(bytes: number, deliver: () => void): void {
  if (bytes < LARGE_BYTES) deliver();
  else if (waiting.push(deliver) === 1) setImmediate(deliverNext);
}

function deliverNext(): void {
  const [deliver, ...rest] = waiting;
  waiting = rest;
  if (rest.length > 0) setImmediate(deliverNext);
  deliver?.();
}
