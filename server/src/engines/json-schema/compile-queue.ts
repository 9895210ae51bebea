// Schemas that wait to be compiled, round robin over their fairness keys. Within a key, what a call waits for goes before what a save
// waits for.

import { createTurns } from '../turns.ts';

export type Requester = { fairness_key: string; purpose: 'call' | 'save' };

export type CompileQueue<Job> = {
  /** False when too many wait already, of this key or of all. */
  add(requester: Requester, job: Job): boolean;
  next(): Job | undefined;
};

type Waiting<Job> = { purpose: Requester['purpose']; job: Job };

export function createCompileQueue<Job>(max: { of_group: number; of_all: number }): CompileQueue<Job> {
  const turns = createTurns<Waiting<Job>>();

  function countOf({ fairness_key, purpose }: Requester): number {
    let count = 0;
    for (const waiting of turns.queues.get(fairness_key) ?? []) if (waiting.purpose === purpose) count += 1;
    return count;
  }

  return {
    add(requester, job) {
      const { fairness_key, purpose } = requester;
      if (turns.size >= max.of_all || countOf(requester) >= max.of_group) return false;
      turns.add(fairness_key, { purpose, job });
      return true;
    },
    next: () => turns.next(callsFirst)?.job,
  };
}

function callsFirst<Job>(all: ReadonlySet<Waiting<Job>>): Waiting<Job> | undefined {
  const [first] = all;
  for (const waiting of all) if (waiting.purpose === 'call') return waiting;
  return first;
}
