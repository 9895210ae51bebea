// What hooks and people decide about calls: decisions of hooks and how long they take, approvals that are pending, and those that
// were decided.

import { type HookPoint, hookPoints, type PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import { Counter, Gauge, type Registry } from 'prom-client';
import { createHistogram, type HistogramValues } from './histogram.ts';

type HookOutcome = PolicyEntry['decision'];
/** `form`, `api` and so on; `system` where nobody decided in time. */
type Decided = { decision: 'approved' | 'declined' | 'expired'; via: string };

export type PolicyMetrics = {
  recordHook(point: HookPoint, decision: HookOutcome, duration_ms: number): void;
  countDecided(decided: Decided, count?: number): void;
  /** How many approvals are pending. Without it there is no value. */
  setPendingReader(read: () => Promise<number>): void;
  histograms(): HistogramValues[];
};

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/** Await `refresh` before the registry is rendered. */
export function createPolicyMetrics(registry: Registry): PolicyMetrics & { refresh(): Promise<void> } {
  const registers = [registry];
  const decisions = new Counter({
    name: 'toolgate_hook_decisions_total',
    help: 'Decisions of hooks about tool calls; failed: the hook gave no usable response.',
    labelNames: ['point', 'decision'],
    registers,
  });
  const durations = createHistogram({
    name: 'toolgate_hook_duration_seconds',
    help: 'Duration of a hook request, until its response or failure.',
    label_name: 'point',
    buckets: BUCKETS,
  });
  const observe = Object.fromEntries(hookPoints.map((point) => [point, durations.series(point)]));
  const decided = new Counter({
    name: 'toolgate_approvals_decided_total',
    help: 'Approvals that were approved, declined or expired.',
    labelNames: ['decision', 'via'],
    registers,
  });
  const pending = new Gauge({
    name: 'toolgate_approvals_pending',
    help: 'Calls that wait for approval, counted up to 100,000.',
    aggregator: 'max',
    registers,
  });
  let read: (() => Promise<number>) | undefined;
  return {
    recordHook(point, decision, duration_ms) {
      decisions.inc({ point, decision });
      observe[point]?.(duration_ms / 1000);
    },
    countDecided: (labels, count = 1) => decided.inc(labels, count),
    setPendingReader(reader) {
      read = reader;
    },
    histograms: () => [durations.values()],
    // While the database is unavailable there is no value.
    async refresh() {
      const count = await read?.().catch(() => undefined);
      if (count === undefined) pending.remove();
      else pending.set(count);
    },
  };
}
