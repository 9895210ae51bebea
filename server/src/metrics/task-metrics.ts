// Tasks: how many are working, how they ended, and how often APIs were asked about their jobs.

import { Counter, Gauge, type Registry } from 'prom-client';

type Outcome = 'completed' | 'failed' | 'timed_out' | 'cancelled';
type PollOutcome = 'responded' | 'failed';

export type TaskMetrics = {
  countEnded(outcome: Outcome): void;
  countPoll(outcome: PollOutcome): void;
  /** How many are working. Without it there is no value. */
  setOpenReader(read: () => Promise<number>): void;
};

/** Await `refresh` before the registry is rendered. */
export function createTaskMetrics(registry: Registry): TaskMetrics & { refresh(): Promise<void> } {
  const registers = [registry];
  const ended = new Counter({
    name: 'toolgate_tasks_ended_total',
    help: 'Tasks that ended, by outcome; timed_out: the job was not done within its timeout.',
    labelNames: ['outcome'],
    registers,
  });
  const polls = new Counter({
    name: 'toolgate_task_polls_total',
    help: 'Requests about jobs; failed: there was no response, or one after which the job is asked about again.',
    labelNames: ['outcome'],
    registers,
  });
  const open = new Gauge({
    name: 'toolgate_tasks_working',
    help: 'Tasks that are working, counted up to 100,000.',
    aggregator: 'max',
    registers,
  });
  let read: (() => Promise<number>) | undefined;
  return {
    countEnded: (outcome) => ended.inc({ outcome }),
    countPoll: (outcome) => polls.inc({ outcome }),
    setOpenReader(reader) {
      read = reader;
    },
    // While the database is unavailable there is no value.
    async refresh() {
      const count = await read?.().catch(() => undefined);
      if (count === undefined) open.remove();
      else open.set(count);
    },
  };
}
