// Work that comes round: once in its interval, on one replica, whichever takes it first.

import { enqueueMissing } from './enqueue.ts';
import type { Work, World } from './worker.ts';

const KIND = 'recurring';

export type Recurring<W> = {
  name: string;
  every_ms: number;
  /** Does a part that fits well into a lease; answers whether there is more to do at once. */
  run(world: W): Promise<boolean>;
};

export function recurringWork<W extends World>(all: Recurring<W>[]): Work<W, Recurring<W>, object> {
  const byName = new Map(all.map((recurring) => [recurring.name, recurring]));
  return {
    kind: KIND,
    at_once: all.length,
    per_group: all.length,
    per_lane: 1,
    async load(_world, jobs) {
      // A name this version no longer knows has nothing to do, and its job goes.
      return new Map(
        jobs.flatMap(({ subject }) => {
          const recurring = byName.get(subject);
          return recurring ? [[subject, recurring] as const] : [];
        }),
      );
    },
    async run(world, { every_ms, run }) {
      const began = world.now();
      const hasMore = await run(world);
      return { again_at: hasMore ? began : began + every_ms };
    },
    settle: async () => {},
  };
}

/** At start: whatever has no turn yet gets one now. */
export async function enqueueRecurring<W extends World>(world: W, all: Recurring<W>[]): Promise<void> {
  const run_at = new Date(world.now()).toISOString();
  await enqueueMissing(
    world.database,
    all.map(({ name }) => ({ kind: KIND, subject: name, fairness_key: '', lane: name, run_at })),
  );
}
