// Schemas that wait to be compiled: one queue for each quota group, served round robin, so that a group's compilations wait
// for each other and for at most one of each other group. Within a group, what a call waits for goes before what a save waits for.

export type Requester = { quota_group_id: string; purpose: 'call' | 'save' };

export type CompileQueue<Job> = {
  /** False when too many wait already, of this group or of all. */
  add(requester: Requester, job: Job): boolean;
  next(): Job | undefined;
};

type Waiting<Job> = Record<Requester['purpose'], Job[]>;

export function createCompileQueue<Job>(max: { of_group: number; of_all: number }): CompileQueue<Job> {
  // A Map keeps the order of its keys: the first group is the next one to be served.
  const groups = new Map<string, Waiting<Job>>();
  let waiting = 0;
  let last_served: string | undefined;

  return {
    add({ quota_group_id, purpose }, job) {
      const group = groups.get(quota_group_id) ?? { call: [], save: [] };
      if (group[purpose].length >= max.of_group || waiting >= max.of_all) return false;
      group[purpose].push(job);
      groups.set(quota_group_id, group);
      waiting += 1;
      return true;
    },
    next() {
      const [first, second] = groups;
      // The group that was served last may have come back before another came.
      const chosen = first?.[0] === last_served ? (second ?? first) : first;
      if (chosen === undefined) return undefined;
      const [quota_group_id, group] = chosen;
      last_served = quota_group_id;
      const job = group.call.shift() ?? group.save.shift();
      groups.delete(quota_group_id);
      if (group.call.length + group.save.length > 0) groups.set(quota_group_id, group);
      waiting -= 1;
      return job;
    },
  };
}
