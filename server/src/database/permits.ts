// Limits how many database connections one quota group uses at the same time. A request holds one permit during all of its
// database work and never asks for a second, so requests cannot deadlock.

import { refuse } from '../errors.ts';

/** Of the 16 connections of the pool. */
const PERMITS_PER_GROUP = 4;
const MAX_WAITING_PER_GROUP = 200;
const MAX_WAIT_MS = 5_000;

export type Permits = {
  /**
   * Runs `work` while holding a permit of the group. Refuses with 503 when too many requests of the group wait, or the wait
   * takes too long. `must_run`: waits without limit.
   */
  run<T>(quota_group_id: string, work: () => Promise<T>, options?: { must_run?: boolean }): Promise<T>;
};

type Waiter = { start(): void };
type Group = { held: number; waiting: Set<Waiter> };

export function createPermits(): Permits {
  const groups = new Map<string, Group>();

  function groupOf(id: string): Group {
    let group = groups.get(id);
    if (!group) {
      group = { held: 0, waiting: new Set() };
      groups.set(id, group);
    }
    return group;
  }

  /** Passes the permit to the first waiter. A group without permits in use is removed from memory. */
  function release(id: string, group: Group): void {
    const [next] = group.waiting;
    if (next) {
      group.waiting.delete(next);
      next.start();
      return;
    }
    group.held -= 1;
    if (group.held === 0) groups.delete(id);
  }

  return {
    async run(id, work, { must_run = false } = {}) {
      const group = groupOf(id);
      if (group.held < PERMITS_PER_GROUP) group.held += 1;
      else await waitForPermit(group, must_run);
      try {
        return await work();
      } finally {
        release(id, group);
      }
    },
  };
}

function waitForPermit({ waiting }: Group, must_run: boolean): Promise<void> {
  if (!must_run && waiting.size >= MAX_WAITING_PER_GROUP) throw busy();
  return new Promise((resolve, reject) => {
    const waiter = {
      start() {
        clearTimeout(timer);
        resolve();
      },
    };
    const timeOut = () => {
      waiting.delete(waiter);
      reject(busy());
    };
    const timer = must_run ? undefined : setTimeout(timeOut, MAX_WAIT_MS);
    waiting.add(waiter);
  });
}

const busy = () =>
  refuse.serviceUnavailable({
    details: { reason: 'too_many_concurrent_requests' },
    headers: { 'retry-after': '1' },
  });
