// Limits how many database connections the requests with one fairness key use at the same time. A request holds one permit during
// all of its database work and never asks for a second, so requests cannot deadlock. Permits go round the projects and people of
// a key: a busy project delays no other project of its organization by more than a turn.

import { createTurns, type Turns } from '../engines/turns.ts';
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
/** `waiting`: by project or person. */
type Share = { held: number; waiting: Turns<Waiter>; progress: Progress };

export function createPermits(respondedAt: RespondedAt = neverResponded): Permits {
  const shares = new Map<string, Share>();

  function shareOf(key: string): Share {
    let share = shares.get(key);
    if (!share) {
      share = { held: 0, waiting: createTurns(), progress: newProgress(respondedAt) };
      shares.set(key, share);
    }
    return share;
  }

  /** Passes the permit to the next waiter. A key without permits in use is removed from memory. */
  function release(key: string, share: Share): void {
    const next = share.waiting.next();
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

function waitForPermit({ waiting, progress }: Share, id: string, must_run: boolean): Promise<void> {
  const is_full = waiting.sizeOf(id) >= MAX_WAITING.of_user || waiting.size >= MAX_WAITING.of_key;
  if (is_full && !must_run) throw busy();
  return new Promise((resolve, reject) => {
    const waiter = {
      start() {
        cancel();
        resolve();
      },
    };
    const timeOut = () => {
      waiting.remove(id, waiter);
      reject(busy());
    };
    const cancel = must_run ? () => {} : startWait(progress, MAX_WAIT_MS, timeOut);
    waiting.add(id, waiter);
  });
}

const busy = () =>
  refuse.serviceUnavailable({
    details: { reason: 'too_many_concurrent_requests' },
    headers: { 'retry-after': '1' },
  });
