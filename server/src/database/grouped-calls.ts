// Does for many callers at once what each could do alone: those of one tick, and those that arrive while the call before them runs.
// A statement for thirty rows costs PostgreSQL and this process far less than thirty statements, and it is one commit.

import pg from 'pg';
import { refuse } from '../errors/errors.ts';
import { isDatabaseBusy, isTransactionRetryable } from './connection.ts';

const MAX_INPUTS = 100;
const MAX_WAITING = 200;
/** After this time the next call starts beside one that hangs: a broken connection may not show itself for minutes. */
const WAIT_FOR_OTHER_MS = 1_000;

/** Returns one output for each input, in their order. */
type RunAll<In, Out> = (inputs: In[]) => Promise<Out[]>;

export type GroupedCalls = {
  /**
   * One call with the same kind and id runs at a time, and has the inputs of all callers that waited for it. They must give
   * equivalent functions: that of the first is run. If it fails, each input is tried alone, so it must have changed nothing then.
   * Refuses with 503 when too many wait.
   */
  run<In, Out>(kind: string, id: string, input: In, runAll: RunAll<In, Out>): Promise<Out>;
};

type Waiter = {
  input: unknown;
  runAll: RunAll<unknown, unknown>;
  resolve(output: unknown): void;
  reject(error: unknown): void;
};

export function createGroupedCalls(): GroupedCalls {
  /** Those that wait for the call with this key, which runs or is about to. */
  const waiting = new Map<string, Waiter[]>();

  function runNext(key: string): void {
    const waiters = waiting.get(key)?.splice(0, MAX_INPUTS) ?? [];
    if (waiters.length === 0) return void waiting.delete(key);
    let hasStarted = false;
    const startNext = () => {
      clearTimeout(timer);
      if (!hasStarted) runNext(key);
      hasStarted = true;
    };
    const timer = setTimeout(startNext, WAIT_FOR_OTHER_MS);
    respond(waiters).then(startNext, startNext);
  }

  return {
    run<In, Out>(kind: string, id: string, input: In, runAll: RunAll<In, Out>): Promise<Out> {
      const key = `${kind} ${id}`;
      return new Promise<Out>((resolve, reject) => {
        const waiter = { input, runAll, resolve, reject } as unknown as Waiter;
        const others = waiting.get(key);
        if (others && others.length >= MAX_WAITING) throw tooMany();
        if (others) return void others.push(waiter);
        waiting.set(key, [waiter]);
        setImmediate(() => runNext(key));
      });
    },
  };
}

/** Never rejects. */
async function respond(waiters: Waiter[]): Promise<void> {
  const [first] = waiters as [Waiter];
  try {
    const outputs = await first.runAll(waiters.map(({ input }) => input));
    for (const [i, { resolve }] of waiters.entries()) resolve(outputs[i]);
  } catch (error) {
    if (waiters.length > 1 && isWorthTryingAlone(error)) for (const waiter of waiters) await respond([waiter]);
    else for (const { reject } of waiters) reject(error);
  }
}

/** An input that the database refuses must be refused alone. A database that is busy or unavailable would refuse each of them. */
const isWorthTryingAlone = (error: unknown) =>
  error instanceof pg.DatabaseError && (isTransactionRetryable(error) || !isDatabaseBusy(error));

const tooMany = () =>
  refuse.serviceUnavailable({
    details: { reason: 'too_many_concurrent_requests' },
    headers: { 'retry-after': '1' },
  });
