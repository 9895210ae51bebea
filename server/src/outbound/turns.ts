// Who may go now. A project has so many calls under way, and fewer of them to one origin, so that a hanging
// origin leaves room for the project's other tools. Calls to one origin go first come, first served; origins take turns.

/** A call that waits; `start` is called once its turn has come. */
export type Waiter = { start(): void };

/** One project's calls to one origin. */
export class Lane {
  running = 0;
  readonly waiting = new Set<Waiter>();

  get is_idle(): boolean {
    return this.running === 0 && this.waiting.size === 0;
  }
}

export class ProjectTurns {
  readonly #max_per_project: number;
  readonly #max_per_lane: number;
  readonly #max_waiting: number;
  #running = 0;
  #waiting = 0;
  #is_passing_on = false;
  /** Lanes with somebody waiting, in the order of their next turn. */
  readonly #crowded = new Set<Lane>();

  constructor(limits: { max_per_project: number; max_per_origin: number; max_waiting: number }) {
    this.#max_per_project = limits.max_per_project;
    this.#max_per_lane = limits.max_per_origin;
    this.#max_waiting = limits.max_waiting;
  }

  take(lane: Lane, waiter: Waiter): 'go' | 'wait' | 'full' {
    if (this.#running < this.#max_per_project && lane.running < this.#max_per_lane) {
      this.#running += 1;
      lane.running += 1;
      return 'go';
    }
    if (this.#waiting >= this.#max_waiting) return 'full';
    this.#waiting += 1;
    lane.waiting.add(waiter);
    this.#crowded.add(lane);
    return 'wait';
  }

  /** The waiter gave up before its turn. */
  leave(lane: Lane, waiter: Waiter): void {
    if (!lane.waiting.delete(waiter)) return;
    this.#waiting -= 1;
    if (lane.waiting.size === 0) this.#crowded.delete(lane);
  }

  /** A call has ended: whoever is next may go. */
  giveBack(lane: Lane): void {
    this.#running -= 1;
    lane.running -= 1;
    // A call that ends while it starts comes back here: the loop below goes on, instead of a thousand nested calls.
    if (this.#is_passing_on) return;
    this.#is_passing_on = true;
    const failures: unknown[] = [];
    while (this.#running < this.#max_per_project) {
      const next = this.#next();
      if (next === undefined) break;
      try {
        next.waiter.start();
      } catch (error) {
        // Its place is the next one's; kept, it and this loop would hold up the project for good.
        this.#running -= 1;
        next.lane.running -= 1;
        failures.push(error);
      }
    }
    this.#is_passing_on = false;
    if (failures.length > 0) throw failures[0];
  }

  #next(): { lane: Lane; waiter: Waiter } | undefined {
    for (const lane of this.#crowded) {
      if (lane.running >= this.#max_per_lane) continue;
      const [waiter] = lane.waiting;
      if (waiter === undefined) continue;
      this.leave(lane, waiter);
      this.#running += 1;
      lane.running += 1;
      // To the end of the line.
      if (this.#crowded.delete(lane)) this.#crowded.add(lane);
      return { lane, waiter };
    }
    return undefined;
  }
}
