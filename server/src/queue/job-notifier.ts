// Wakes the workers when jobs were enqueued: those of this process at once, those of other replicas by NOTIFY. The NOTIFY is not
// sent inside the transaction that enqueues: commits that notify share one lock and hold it until they are on disk.
// A lost notification delays a job by one poll interval (a second).

export type JobNotifier = {
  /** Reports new jobs of a kind. Inside a transaction this takes effect after the commit. */
  notify(kind: string): void;
  /** Calls the listener whenever new jobs of the kind are reported. Returns a function that removes it. */
  listen(kind: string, listener: () => void): () => void;
};

const NOTIFY_REPLICAS_AFTER_MS = 50;

/** Returns the notifier, and `wake` for a notification that came from another replica. */
export function createJobNotifier(notifyReplicas: (kind: string) => Promise<unknown>): {
  job_notifier: JobNotifier;
  wake(kind: string): void;
} {
  const listeners = new Set<{ kind: string; listener: () => void }>();
  const scheduled = new Set<string>();
  const wake = (kind: string) => {
    for (const each of listeners) if (each.kind === kind) each.listener();
  };
  return {
    wake,
    job_notifier: {
      notify(kind) {
        wake(kind);
        if (scheduled.has(kind)) return;
        scheduled.add(kind);
        setTimeout(() => {
          scheduled.delete(kind);
          notifyReplicas(kind).catch(() => {}); // the other replicas poll once a second
        }, NOTIFY_REPLICAS_AFTER_MS).unref();
      },
      listen(kind, listener) {
        const added = { kind, listener };
        listeners.add(added);
        return () => listeners.delete(added);
      },
    },
  };
}
