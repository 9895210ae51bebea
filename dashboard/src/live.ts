// Lists that grow while a person looks at them: the stream of calls, and a pause that counts what came meanwhile.

import type { ToolCall } from '@toolgate/sdk';
import { useEffect, useState } from 'react';
import { useProjectApi } from './api.ts';

const MAX_ROWS = 500;

type Filters = NonNullable<Parameters<ReturnType<typeof useProjectApi>['toolCalls']['stream']>[0]>;
type Received = { key: string; calls: ToolCall[]; error: unknown };

/** The calls that were made since the page was loaded, newest first. Begins after the call `after`, so that none is missing. */
export function useCallStream(filters: Filters, { isOn, after }: { isOn: boolean; after: string | undefined }) {
  const api = useProjectApi();
  const key = JSON.stringify(filters);
  const [received, setReceived] = useState<Received>({ key, calls: [], error: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `filters`; `after` is where the stream began
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const add = (call: ToolCall) =>
      setReceived((before) => ({
        key,
        error: null,
        calls: [call, ...(before.key === key ? before.calls : [])].slice(0, MAX_ROWS),
      }));
    const read = async () => {
      const options = { signal: stop.signal, lastEventId: after };
      for await (const call of api.toolCalls.stream(filters, options)) add(call);
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setReceived((before) => ({ ...before, key, error }));
    });
    return () => stop.abort();
  }, [api, key, isOn]);
  return received.key === key ? received : { key, calls: [], error: null };
}

/** Joins two lists of the same resource, newest first, each row once. */
export function joinRows<Row extends { id: string; created_at: string }>(newer: Row[], older: Row[]): Row[] {
  const rows = new Map([...newer, ...older].map((row) => [row.id, row]));
  return [...rows.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}

export type Pause<Row> = {
  isPaused: boolean;
  /** What is shown: while paused, what was there then. */
  rows: Row[] | undefined;
  /** How many came since. */
  newCount: number;
  pause(): void;
  resume(): void;
  /** Shows what came, and stays paused. */
  showNew(): void;
};

/** `key`: the filters. A pause ends when they change. */
export function usePause<Row extends { id: string }>(rows: Row[] | undefined, key: string): Pause<Row> {
  const [held, setHeld] = useState<{ key: string; rows: Row[] } | null>(null);
  const active = held?.key === key ? held : null;
  const known = new Set(active?.rows.map(({ id }) => id));
  const hold = () => setHeld({ key, rows: rows ?? [] });
  return {
    isPaused: active !== null,
    rows: active?.rows ?? rows,
    newCount: active ? (rows ?? []).filter(({ id }) => !known.has(id)).length : 0,
    pause: hold,
    resume: () => setHeld(null),
    showNew: hold,
  };
}
