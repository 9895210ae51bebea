// Starts work a little at a time: so much in an iteration of the event loop, the next piece from whoever has used least of it. What is
// left waits for the next iteration, and other work, such as the responses of other calls, runs in between. So a project that sends a
// call now and then does not wait for one that sends hundreds, or whose calls are expensive because its API misbehaves.

import { LRUCache } from 'lru-cache';

/** In an iteration of the event loop. The last piece may exceed it. */
const BUDGET_MS = 1.5;
/** Whoever uses less than a tenth of the time counts as having used nothing. */
const TIMES = 10;
/** What was used longer ago does not count. */
const MEMORY_MS = 1_000;
const MAX_SHARES = 10_000;

type Piece = { cost_ms: number; run(): void };

/** What a fairness key uses of the event loop. */
export type Share = {
  /** In milliseconds of the monotonic clock. If it has passed, nothing was used lately. */
  used_until: number;
  readonly waiting: Set<Piece>;
};

const shares = new LRUCache<string, Share>({ max: MAX_SHARES });
/** Those with pieces that wait. */
const waiting = new Set<Share>();
let spent_ms = 0;
let is_scheduled = false;

export function shareOf(fairness_key: string): Share {
  const known = shares.get(fairness_key);
  if (known) return known;
  const share = { used_until: 0, waiting: new Set<Piece>() };
  shares.set(fairness_key, share);
  return share;
}

/** Runs a piece that takes about `cost_ms`: now, if there is time for it and nothing else waits. */
export function pace(share: Share, cost_ms: number, run: () => void): void {
  if (spent_ms < BUDGET_MS && waiting.size === 0) start(share, { cost_ms, run });
  else paceLater(share, cost_ms, run);
}

/** Never before this returns. The returned function removes the piece; it returns false if the piece was started already. */
export function paceLater(share: Share, cost_ms: number, run: () => void): () => boolean {
  const piece = { cost_ms, run };
  share.waiting.add(piece);
  waiting.add(share);
  scheduleIteration();
  return () => remove(share, piece);
}

function start(share: Share, { cost_ms, run }: Piece): void {
  const now = performance.now();
  share.used_until = Math.min(Math.max(share.used_until, now) + cost_ms * TIMES, now + MEMORY_MS);
  spent_ms += cost_ms;
  scheduleIteration();
  run();
}

function scheduleIteration(): void {
  if (!is_scheduled) setImmediate(beginIteration);
  is_scheduled = true;
}

function beginIteration(): void {
  is_scheduled = false;
  spent_ms = 0;
  while (spent_ms < BUDGET_MS) {
    const share = leastUsed();
    if (share === undefined) return;
    const [piece] = share.waiting as Set<Piece> & [Piece];
    remove(share, piece);
    start(share, piece);
  }
}

function leastUsed(): Share | undefined {
  let least: Share | undefined;
  for (const share of waiting) if (least === undefined || share.used_until < least.used_until) least = share;
  return least;
}

function remove(share: Share, piece: Piece): boolean {
  const was_waiting = share.waiting.delete(piece);
  if (share.waiting.size === 0) waiting.delete(share);
  return was_waiting;
}
