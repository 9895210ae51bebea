// Schemas that wait to be compiled: one queue for each fairness key, served round robin, so that its compilations wait
// for each other and for at most one of each other key. Within a key, what a call waits for goes before what a save waits for.

export type Requester = { fairness_key: string; purpose: 'call' | 'save' };

export type CompileQueue<Job> = {
  /** False when too many wait already, of this key or of all. */
  add(requester: Requester, job: Job): boolean;
  next(): Job | undefined;
};

type Waiting<Job> = Record<Requester['purpose'], Job[]>;

export function createCompileQueue<Job>(max: { of_group: number; of_all: number }): CompileQueue<Job> {
  // A Map keeps the order of its keys: the first key is the next one to be served.
  const groups = new Map<string, Waiting<Job>>();
  let waiting = 0;
  let last_served: string | undefined;

  return {
    add({ fairness_key, purpose }, job) {
      const group = groups.get(fairness_key) ?? { call: [], save: [] };
      if (group[purpose].length >= max.of_group || waiting >= max.of_all) return false;
      group[purpose].push(job);
      groups.set(fairness_key, group);
      waiting += 1;
      return true;
    },
    next() {
      const [first, second] = groups;
      // The key that was served last may have come back before another came.
      const chosen = first?.[0] === last_served ? (second ?? first) : first;
      if (chosen === undefined) return undefined;
      const [fairness_key, group] = chosen;
      last_served = fairness_key;
      const job = group.call.shift() ?? group.save.shift();
      groups.delete(fairness_key);
      if (group.call.length + group.save.length > 0) groups.set(fairness_key, group);
      waiting -= 1;
      return job;
    },
  };
}
