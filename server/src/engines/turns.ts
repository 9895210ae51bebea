// Items that wait, and whose turn it is: round robin over their keys, so that no key, however many items it has, delays another by more
// than one round.

export type Turns<Item> = {
  /** Each has an item that waits, and they are in the order of their turns. */
  readonly queues: ReadonlyMap<string, ReadonlySet<Item>>;
  readonly size: number;
  sizeOf(key: string): number;
  add(key: string, item: Item): void;
  /** Removes and returns an item of the key whose turn it is: the one that has waited longest, or the one that is chosen. */
  next(choose?: (items: ReadonlySet<Item>) => Item | undefined): Item | undefined;
  /** False if the item does not wait. */
  remove(key: string, item: Item): boolean;
};

export function createTurns<Item>(): Turns<Item> {
  // A Map keeps the order of its keys: the first key is the next one.
  const queues = new Map<string, Set<Item>>();
  let size = 0;
  let last_key: string | undefined;

  function remove(key: string, item: Item): boolean {
    const items = queues.get(key);
    if (!items?.delete(item)) return false;
    if (items.size === 0) queues.delete(key);
    size -= 1;
    return true;
  }

  return {
    queues,
    get size() {
      return size;
    },
    sizeOf: (key) => queues.get(key)?.size ?? 0,
    add(key, item) {
      const items = queues.get(key);
      if (items) items.add(item);
      else queues.set(key, new Set([item]));
      size += 1;
    },
    next(choose = longestWaiting) {
      const [first, second] = queues;
      // The key that had the last turn may have come back before another came.
      const turn = first?.[0] === last_key ? (second ?? first) : first;
      const item = turn && choose(turn[1]);
      if (turn === undefined || item === undefined) return undefined;
      const [key, items] = turn;
      last_key = key;
      remove(key, item);
      if (queues.delete(key)) queues.set(key, items);
      return item;
    },
    remove,
  };
}

function longestWaiting<Item>(items: ReadonlySet<Item>): Item | undefined {
  const [first] = items;
  return first;
}
