// Wakes the workers when jobs were enqueued: those of this process at once, those of other replicas by NOTIFY. The NOTIFY is not
// sent inside the transaction that enqueues: commits that notify share one lock and hold it until they are on disk.
// A lost notification delays a job by one poll interval (a second).

export type JobNotifier = {
  /** Reports new jobs. Inside a transaction this takes effect after the commit. */
  notify(): void;
  /** Calls the listener whenever new jobs are reported. Returns a function that removes it. */
  listen(listener: () => void): () => void;
};

const NOTIFY_REPLICAS_AFTER_MS = 20;

/** Returns the notifier, and `wake` for a notification that came from another replica. */
export function createJobNotifier(notifyReplicas: () => Promise<unknown>): { job_notifier: JobNotifier; wake(): void } {
  const listeners = new Set<() => void>();
  let isScheduled = false;
  const wake = () => {
    for (const listener of listeners) listener();
  };
  return {
    wake,
    job_notifier: {
      notify() {
        wake();
        if (isScheduled) return;
        isScheduled = true;
        setTimeout(() => {
          isScheduled = false;
          notifyReplicas().catch(() => {}); // the other replicas poll once a second
        }, NOTIFY_REPLICAS_AFTER_MS).unref();
      },
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
