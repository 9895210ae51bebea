// Wakes the workers: our own at once, those of other replicas by NOTIFY. Not from inside the transaction that enqueued: a
// commit that notifies holds a lock that all such commits share, until it is on the disk. A lost call costs a second, no more.

export type Bell = {
  /** There are new jobs. Inside a transaction this waits for its commit. */
  ring(): void;
  /** Calls back whenever there are; answers how to stop that. */
  listen(listener: () => void): () => void;
};

const TELL_OTHERS_AFTER_MS = 20;

/** `sound` is for a call that came from another replica. */
export function createBell(tellOthers: () => Promise<unknown>): { bell: Bell; sound(): void } {
  const listeners = new Set<() => void>();
  let isTelling = false;
  const sound = () => {
    for (const listener of listeners) listener();
  };
  return {
    sound,
    bell: {
      ring() {
        sound();
        if (isTelling) return;
        isTelling = true;
        setTimeout(() => {
          isTelling = false;
          tellOthers().catch(() => {}); // they look by themselves once a second
        }, TELL_OTHERS_AFTER_MS).unref();
      },
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
