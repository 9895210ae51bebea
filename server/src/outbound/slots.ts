// Which call may be sent now. There are so many slots in all, fewer for one part of a group, and fewer again for one origin of
// it (a lane), so that a hanging origin leaves room for the others. Free slots go round the groups, and inside a group round its
// lanes: a long queue of one delays no other. In one lane it is first come, first served.

/** A call that waits; `start` is called once it has its slot. */
export type Waiter = { start(): void };

/** Everything with one isolation key, such as the calls of a quota group. */
export class Group {
  waiting = 0;
  /** Lanes with waiting calls, in the order of their next slot. */
  readonly crowded = new Set<Lane>();
}

/** What of a group has a number of slots of its own: its tools together, and each of its webhooks. */
export class Part {
  running = 0;
  readonly group: Group;

  constructor(group: Group) {
    this.group = group;
  }
}

/** The calls of one part to one origin. */
export class Lane {
  running = 0;
  readonly waiting = new Set<Waiter>();
  readonly part: Part;

  constructor(part: Part) {
    this.part = part;
  }

  get is_idle(): boolean {
    return this.running === 0 && this.waiting.size === 0;
  }
}

export type SlotLimits = {
  max_total: number;
  max_per_part: number;
  max_per_origin: number;
  /** Calls of one group that may wait. */
  max_waiting: number;
};

export class Slots {
  readonly #limits: SlotLimits;
  #running = 0;
  #is_passing_on = false;
  /** Groups with waiting calls, in the order of their next slot. */
  readonly #crowded = new Set<Group>();
  /** Where a slot became free, and a waiting call may start now. */
  readonly #freed = new Set<Group>();
  /** A slot became free while there was none at all: it is the next group's, whichever that is. */
  #is_anyones = false;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  take(lane: Lane, waiter: Waiter): 'go' | 'wait' | 'full' {
    if (this.#running < this.#limits.max_total && this.#hasRoom(lane)) {
      this.#occupy(lane);
      return 'go';
    }
    const { group } = lane.part;
    if (group.waiting >= this.#limits.max_waiting) return 'full';
    group.waiting += 1;
    lane.waiting.add(waiter);
    group.crowded.add(lane);
    this.#crowded.add(group);
    return 'wait';
  }

  /** The waiter gave up before it had a slot. */
  leave(lane: Lane, waiter: Waiter): void {
    if (!lane.waiting.delete(waiter)) return;
    const { group } = lane.part;
    group.waiting -= 1;
    if (lane.waiting.size === 0) group.crowded.delete(lane);
    if (group.crowded.size === 0) this.#crowded.delete(group);
  }

  /** A call has ended: whoever is next may start. */
  giveBack(lane: Lane): void {
    this.#vacate(lane);
    // A call that ends while it starts comes back here: the loop below goes on, instead of a thousand nested calls.
    if (this.#is_passing_on) return;
    this.#is_passing_on = true;
    const failures: unknown[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        next.waiter.start();
      } catch (error) {
        // Its slot is the next one's; kept, it and this loop would hold up the group for good.
        this.#vacate(next.lane);
        failures.push(error);
      }
    }
    this.#is_passing_on = false;
    if (failures.length > 0) throw failures[0];
  }

  #next(): { lane: Lane; waiter: Waiter } | undefined {
    if (this.#running < this.#limits.max_total) {
      for (const group of this.#is_anyones ? this.#crowded : this.#freed) {
        const next = this.#nextOf(group);
        if (next !== undefined) return next;
        this.#freed.delete(group);
      }
    }
    this.#is_anyones = false;
    this.#freed.clear();
    return undefined;
  }

  #nextOf(group: Group): { lane: Lane; waiter: Waiter } | undefined {
    for (const lane of group.crowded) {
      const [waiter] = lane.waiting;
      if (waiter === undefined || !this.#hasRoom(lane)) continue;
      this.leave(lane, waiter);
      this.#occupy(lane);
      // Both to the end of their line.
      if (group.crowded.delete(lane)) group.crowded.add(lane);
      if (this.#crowded.delete(group)) this.#crowded.add(group);
      return { lane, waiter };
    }
    return undefined;
  }

  #hasRoom({ running, part }: Lane): boolean {
    return running < this.#limits.max_per_origin && part.running < this.#limits.max_per_part;
  }

  #occupy(lane: Lane): void {
    this.#running += 1;
    lane.part.running += 1;
    lane.running += 1;
  }

  #vacate(lane: Lane): void {
    // While there are slots left, every waiting call waits for its own group: nobody else needs to be looked at.
    if (this.#running >= this.#limits.max_total) this.#is_anyones = true;
    else this.#freed.add(lane.part.group);
    this.#running -= 1;
    lane.part.running -= 1;
    lane.running -= 1;
  }
}
