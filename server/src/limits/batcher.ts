// Collects what many requests ask a store at the same time into one batch. Requests that ask the same are one question, with
// their number.

const MAX_QUESTIONS = 100;

export type Question<A> = { about: A; wanted: number };
/** The response to the question, and which of those who asked it this is. */
export type Share<R> = { response: R; index: number; wanted: number };
/** Returns the responses in the order of the questions. */
export type Ask<A, R> = (questions: Question<A>[]) => Promise<R[]>;

type Asked<A, R> = { about: A; waiting: { resolve(share: Share<R>): void; reject(error: unknown): void }[] };

/**
 * A batch has the questions of one iteration of the event loop. While `max_in_progress` batches are in progress, further
 * questions wait for the next one.
 */
export function createBatcher<A, R>(
  ask: Ask<A, R>,
  max_in_progress = Number.POSITIVE_INFINITY,
): (key: string, about: A) => Promise<Share<R>> {
  const asked = new Map<string, Asked<A, R>>();
  let in_progress = 0;
  let is_scheduled = false;

  function takeNext(): Asked<A, R>[] {
    const next: Asked<A, R>[] = [];
    for (const [key, each] of asked) {
      if (next.length === MAX_QUESTIONS) break;
      next.push(each);
      asked.delete(key);
    }
    return next;
  }

  async function runNext(): Promise<void> {
    const batch = takeNext();
    try {
      const responses = await ask(batch.map(({ about, waiting }) => ({ about, wanted: waiting.length })));
      batch.forEach(({ waiting }, position) => {
        const response = responses[position] as R;
        for (const [index, { resolve }] of waiting.entries()) resolve({ response, index, wanted: waiting.length });
      });
    } catch (error) {
      for (const { waiting } of batch) for (const { reject } of waiting) reject(error);
    }
  }

  function start(): void {
    is_scheduled = false;
    while (asked.size > 0 && in_progress < max_in_progress) {
      in_progress += 1;
      const next = () => {
        in_progress -= 1;
        start();
      };
      runNext().then(next, next);
    }
  }

  return (key, about) =>
    new Promise((resolve, reject) => {
      const same = asked.get(key);
      if (same) same.waiting.push({ resolve, reject });
      else asked.set(key, { about, waiting: [{ resolve, reject }] });
      if (is_scheduled || in_progress >= max_in_progress) return;
      is_scheduled = true;
      setImmediate(start);
    });
}
