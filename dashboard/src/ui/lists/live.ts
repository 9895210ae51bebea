// Lists that grow while a person looks at them: new rows join the old ones, and a pause counts what came meanwhile.

import { useState } from 'react';

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
