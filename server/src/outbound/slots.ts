// Limits how many calls run at once: in total, per group, per part of a group, and per origin of a part, so that an origin that
// hangs leaves slots for the others. Free slots are given round-robin to the groups, and within a group to its origins: a long
// queue of one delays no other. Within the queue of one origin the order is first in, first out.

import type { Share } from './pace.ts';

/** A queued call. `start` is called when it has its slot. */
export type Waiter = { start(): void };

/** All calls with one isolation key, such as those of an organization. */
export class Group {
  /** Of the event loop. */
  readonly share: Share;
  running = 0;
  waiting = 0;
  /** Non-empty queues, in the order of their next slot. */
  readonly queues = new Set<OriginQueue>();

  constructor(share: Share) {
    this.share = share;
  }
}

/** A part of a group with its own number of slots: its tools together, and each of its webhooks. */
export class Part {
  running = 0;
  readonly group: Group;

  constructor(group: Group) {
    this.group = group;
  }
}

/** The calls of one part to one origin. */
export class OriginQueue {
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
  max_per_group: number;
  max_per_part: number;
  max_per_origin: number;
  /** Calls of one group that may wait. */
  max_waiting: number;
};

export class Slots {
  readonly #limits: SlotLimits;
  #running = 0;
  #is_starting_waiters = false;
  /** Groups with waiting calls, in the order of their next slot. */
  readonly #waiting_groups = new Set<Group>();
  /** Groups that released a slot: one of their waiting calls may start now. */
  readonly #freed_groups = new Set<Group>();
  /** A slot was released while all were in use: it goes to the next waiting group, whichever that is. */
  #is_any_group_next = false;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  acquire(queue: OriginQueue, waiter: Waiter): 'acquired' | 'queued' | 'full' {
    if (this.#running < this.#limits.max_total && this.#hasFreeSlot(queue)) {
      this.#occupy(queue);
      return 'acquired';
    }
    const { group } = queue.part;
    if (group.waiting >= this.#limits.max_waiting) return 'full';
    group.waiting += 1;
    queue.waiting.add(waiter);
    group.queues.add(queue);
    this.#waiting_groups.add(group);
    return 'queued';
  }

  /** Removes a waiter that has no slot yet. */
  cancel(queue: OriginQueue, waiter: Waiter): void {
    if (!queue.waiting.delete(waiter)) return;
    const { group } = queue.part;
    group.waiting -= 1;
    if (queue.waiting.size === 0) group.queues.delete(queue);
    if (group.queues.size === 0) this.#waiting_groups.delete(group);
  }

  /** A call has ended: the next waiting call starts. */
  release(queue: OriginQueue): void {
    this.#vacate(queue);
    // A call that ends while it is started calls this again: the loop below continues, instead of a thousand nested calls.
    if (this.#is_starting_waiters) return;
    this.#is_starting_waiters = true;
    const failures: unknown[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        next.waiter.start();
      } catch (error) {
        // Its slot must be released, and the loop must go on: otherwise the group would wait forever.
        this.#vacate(next.queue);
        failures.push(error);
      }
    }
    this.#is_starting_waiters = false;
    if (failures.length > 0) throw failures[0];
  }

  #next(): { queue: OriginQueue; waiter: Waiter } | undefined {
    if (this.#running < this.#limits.max_total) {
      for (const group of this.#is_any_group_next ? this.#waiting_groups : this.#freed_groups) {
        const next = this.#nextOf(group);
        if (next !== undefined) return next;
        this.#freed_groups.delete(group);
      }
    }
    this.#is_any_group_next = false;
    this.#freed_groups.clear();
    return undefined;
  }

  #nextOf(group: Group): { queue: OriginQueue; waiter: Waiter } | undefined {
    for (const queue of group.queues) {
      const [waiter] = queue.waiting;
      if (waiter === undefined || !this.#hasFreeSlot(queue)) continue;
      this.cancel(queue, waiter);
      this.#occupy(queue);
      // Round-robin: both move to the end of their order.
      if (group.queues.delete(queue)) group.queues.add(queue);
      if (this.#waiting_groups.delete(group)) this.#waiting_groups.add(group);
      return { queue, waiter };
    }
    return undefined;
  }

  #hasFreeSlot({ running, part }: OriginQueue): boolean {
    const { max_per_origin, max_per_part, max_per_group } = this.#limits;
    return running < max_per_origin && part.running < max_per_part && part.group.running < max_per_group;
  }

  #occupy(queue: OriginQueue): void {
    this.#running += 1;
    queue.part.group.running += 1;
    queue.part.running += 1;
    queue.running += 1;
  }

  #vacate(queue: OriginQueue): void {
    // Unless all slots were in use, a waiting call waits for a slot of its own group: other groups need no check.
    if (this.#running >= this.#limits.max_total) this.#is_any_group_next = true;
    else this.#freed_groups.add(queue.part.group);
    this.#running -= 1;
    queue.part.group.running -= 1;
    queue.part.running -= 1;
    queue.running -= 1;
  }
}
