// What a feature keeps in memory, such as a cache or a thread. app.ts knows no feature, so it is created when it is first needed; each app
// has its own, so two apps in one process share nothing.

export type AppState = {
  /** The same function always gets the same value. What it returns may have a `close`, which is called when the app closes. */
  stateOf<T extends object>(create: () => T): T;
};

export function createAppState(): AppState & { close(): Promise<void> } {
  const states = new Map<() => object, object>();
  return {
    stateOf<T extends object>(create: () => T): T {
      const known = states.get(create) as T | undefined;
      if (known) return known;
      const created = create();
      states.set(create, created);
      return created;
    },
    async close() {
      const closed = await Promise.allSettled([...states.values()].map(closeState));
      for (const each of closed) if (each.status === 'rejected') throw each.reason;
    },
  };
}

async function closeState(state: { close?: () => unknown }): Promise<void> {
  if (typeof state.close === 'function') await state.close();
}
