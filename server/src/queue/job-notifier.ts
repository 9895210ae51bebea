// Wakes the workers: our own at once, those of other replicas by NOTIFY. Not from inside the transaction that enqueued: a
// commit that notifies holds a lock that all such commits share, until it is on the disk. A lost call costs a second, no more.

export type JobNotifier = {
  /** There are new jobs. Inside a transaction this waits for its commit. */
  notify(): void;
  /** Calls back whenever there are; answers how to stop that. */
  listen(listener: () => void): () => void;
};

const TELL_OTHERS_AFTER_MS = 20;

/** `wake` is for a call that came from another replica. */
export function createJobNotifier(tellOthers: () => Promise<unknown>): { job_notifier: JobNotifier; wake(): void } {
  const listeners = new Set<() => void>();
  let isTelling = false;
  const wake = () => {
    for (const listener of listeners) listener();
  };
  return {
    wake,
    job_notifier: {
      notify() {
        wake();
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
