// Waits for tasks: all requests of a process that wait share one query, however many there are.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { selectChanged, selectTask } from './store.ts';
import { isOpen, type TaskRow } from './task.ts';

const LOOK_EVERY_MS = 300;

type Waiter = { id: string; project_id: string; seen_at: string; changed(task: TaskRow): void };

type Waiters = { waiting: Set<Waiter>; is_looking: boolean };

const createWaiters = (): Waiters => ({ waiting: new Set(), is_looking: false });

export type Wait = {
  /** In milliseconds. */
  wait_ms: number;
  /** Not for its end, but for its next change. */
  until_changed?: boolean;
  /** Called with each change. */
  onChange?(task: TaskRow): void;
  /** Nobody waits any more. */
  isGone?(): boolean;
};

/** Returns the task when it has ended, or as it is when the time is over. Hold no database permit. */
export async function waitForTask(
  app: App,
  project: Project,
  task: TaskRow,
  { wait_ms, until_changed = false, onChange, isGone }: Wait,
): Promise<TaskRow> {
  const until = performance.now() + wait_ms;
  let current = task;
  while (isOpen(current) && performance.now() < until && !isGone?.()) {
    const changed = await nextChange(app, current, until - performance.now());
    if (changed === null) continue;
    current = changed;
    onChange?.(current);
    if (until_changed) return current;
  }
  if (!isOpen(current)) return current;
  // It may have ended since.
  const last = await app.permits.run(project, () => selectTask(app.database, project.id, task.id, app.now()));
  return last ?? current;
}

/** At most a second, so that who is gone is noticed. Null: nothing has changed. */
async function nextChange(app: App, { id, project_id, updated_at }: TaskRow, most_ms: number): Promise<TaskRow | null> {
  const waiters = app.stateOf(createWaiters);
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<TaskRow>();
  const waiter: Waiter = { id, project_id, seen_at: updated_at, changed: resolve };
  waiters.waiting.add(waiter);
  if (!waiters.is_looking)
    look(app, waiters).catch((error: unknown) =>
      // Those who wait read the task at the end of their time.
      app.log.warn({ err: error }, 'tasks could not be looked at for those who wait'),
    );
  const timeout = sleep(Math.max(0, Math.min(1_000, most_ms)), null, { signal: stop.signal }).catch(() => null);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    waiters.waiting.delete(waiter);
    stop.abort();
  }
}

/** As long as anybody waits. */
async function look(app: App, waiters: Waiters): Promise<void> {
  waiters.is_looking = true;
  try {
    while (waiters.waiting.size > 0) {
      await sleep(LOOK_EVERY_MS);
      const waiting = [...waiters.waiting];
      const changed = new Map((await selectChanged(app.background.database, waiting)).map((task) => [task.id, task]));
      for (const waiter of waiting) {
        const task = changed.get(waiter.id);
        if (task) waiter.changed(task);
      }
    }
  } finally {
    waiters.is_looking = false;
  }
}
