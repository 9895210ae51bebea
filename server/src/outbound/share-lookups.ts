// Names are resolved on libuv's few threads, which everything else in the process needs too: a name server that does not
// answer must not take them all. A question under way is asked once, and a project has only so many under way.

import type { Lookup } from './connect.ts';

type Found = Awaited<ReturnType<Lookup>>;

/** Call the answer once for each project. Nothing is remembered: who asks after the answer has come, asks anew. */
export function shareLookups(lookup: Lookup, max_per_project: number): () => Lookup {
  const under_way = new Map<string, Promise<Found>>();

  return () => {
    // Those that wait are the project's own: nobody else's question may stand in its line.
    const waiting = new Map<string, PromiseWithResolvers<Found>>();
    let running = 0;

    function begin(hostname: string): Promise<Found> {
      running += 1;
      const found = lookup(hostname).finally(() => {
        running -= 1;
        under_way.delete(hostname);
        passOn();
      });
      under_way.set(hostname, found);
      return found;
    }

    function passOn(): void {
      for (const [hostname, turn] of waiting) {
        if (running >= max_per_project) return;
        waiting.delete(hostname);
        turn.resolve(under_way.get(hostname) ?? begin(hostname));
      }
    }

    return (hostname) => {
      const shared = under_way.get(hostname) ?? waiting.get(hostname)?.promise;
      if (shared) return shared;
      if (running < max_per_project) return begin(hostname);
      const turn = Promise.withResolvers<Found>();
      waiting.set(hostname, turn);
      return turn.promise;
    };
  };
}
