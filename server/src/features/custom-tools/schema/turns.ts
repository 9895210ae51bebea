// Who is next: what a call waits for goes before what a save waits for, and within both each project has its turn, so that
// one with much to do holds up only itself.

export type Turn = { project_id: string; purpose: 'call' | 'save' };

export type Turns<Job> = {
  /** False when too many wait already, of this project or of all. */
  add(turn: Turn, job: Job): boolean;
  next(): Job | undefined;
};

export function createTurns<Job>(most: { of_project: number; of_all: number }): Turns<Job> {
  // A Map keeps the order of its keys: the project that comes first is the one whose turn it is.
  const lanes = { call: new Map<string, Job[]>(), save: new Map<string, Job[]>() };
  let waiting = 0;

  function take(lane: Map<string, Job[]>): Job | undefined {
    const [first] = lane;
    if (first === undefined) return undefined;
    const [project_id, jobs] = first;
    const job = jobs.shift();
    lane.delete(project_id);
    if (jobs.length > 0) lane.set(project_id, jobs);
    waiting -= 1;
    return job;
  }

  return {
    add({ project_id, purpose }, job) {
      const lane = lanes[purpose];
      const jobs = lane.get(project_id) ?? [];
      if (jobs.length >= most.of_project || waiting >= most.of_all) return false;
      jobs.push(job);
      lane.set(project_id, jobs);
      waiting += 1;
      return true;
    },
    next: () => take(lanes.call) ?? take(lanes.save),
  };
}
