// Limits how many database connections the requests with one fairness key use at the same time. A request holds one permit during
// all of its database work and never asks for a second, so requests cannot deadlock. Permits go round the projects and people of
// a key: a busy project delays no other project of its organization by more than a turn.

import { refuse } from '../errors/errors.ts';
import { runPart } from './deadline.ts';
import {
  neverResponded,
  newProgress,
  type Progress,
  type RespondedAt,
  startWait,
  trackProgress,
} from './queue-wait.ts';

/** Out of the 16 connections of the pool. */
const PERMITS_PER_KEY = 4;
/** For one project or person, and for all with one key. */
const MAX_WAITING = { of_user: 200, of_key: 1_000 };
const MAX_WAIT_MS = 5_000;

/** `id`: of the project or person whose requests take turns with those of the others with the same key. */
export type PermitUser = { id: string; fairness_key: string };

export type Permits = {
  /**
   * Runs `work` while holding a permit of the fairness key. Refuses with 503 when too many requests wait, or the wait takes too long
   * (queue-wait.ts). `must_run`: waits without limit.
   */
  run<T>(user: PermitUser, work: () => Promise<T>, options?: { must_run?: boolean }): Promise<T>;
};

type Waiter = { start(): void };
/** `waiting`: by project or person, in the order of their turns. None of the sets is empty. */
type Share = { held: number; waiting: Map<string, Set<Waiter>>; waiting_count: number; progress: Progress };

export function createPermits(respondedAt: RespondedAt = neverResponded): Permits {
  const shares = new Map<string, Share>();

  function shareOf(key: string): Share {
    let share = shares.get(key);
    if (!share) {
      share = { held: 0, waiting: new Map(), waiting_count: 0, progress: newProgress(respondedAt) };
      shares.set(key, share);
    }
    return share;
  }

  /** Passes the permit to the next waiter. A key without permits in use is removed from memory. */
  function release(key: string, share: Share): void {
    const next = takeNext(share);
    if (next) {
      next.start();
      return;
    }
    share.held -= 1;
    if (share.held === 0) shares.delete(key);
  }

  return {
    run: ({ id, fairness_key }, work, { must_run = false } = {}) =>
      runPart(async () => {
        const share = shareOf(fairness_key);
        if (share.held < PERMITS_PER_KEY) share.held += 1;
        else await waitForPermit(share, id, must_run);
        try {
          return await trackProgress(share.progress, work);
        } finally {
          release(fairness_key, share);
        }
      }),
  };
}

function takeNext(share: Share): Waiter | undefined {
  for (const [id, waiters] of share.waiting) {
    for (const waiter of waiters) {
      remove(share, id, waiter);
      // Its turn is over: the others come before its next waiter.
      if (share.waiting.delete(id)) share.waiting.set(id, waiters);
      return waiter;
    }
  }
  return undefined;
}

function remove(share: Share, id: string, waiter: Waiter): void {
  const waiters = share.waiting.get(id);
  if (!waiters?.delete(waiter)) return;
  share.waiting_count -= 1;
  if (waiters.size === 0) share.waiting.delete(id);
}

function waitForPermit(share: Share, id: string, must_run: boolean): Promise<void> {
  const waiters = share.waiting.get(id) ?? new Set();
  if (!must_run && (waiters.size >= MAX_WAITING.of_user || share.waiting_count >= MAX_WAITING.of_key)) throw busy();
  return new Promise((resolve, reject) => {
    const waiter = {
      start() {
        cancel();
        resolve();
      },
    };
    const timeOut = () => {
      remove(share, id, waiter);
      reject(busy());
    };
    const cancel = must_run ? () => {} : startWait(share.progress, MAX_WAIT_MS, timeOut);
    waiters.add(waiter);
    share.waiting.set(id, waiters);
    share.waiting_count += 1;
  });
}

const busy = () =>
  refuse.serviceUnavailable({
    details: { reason: 'too_many_concurrent_requests' },
    headers: { 'retry-after': '1' },
  });
