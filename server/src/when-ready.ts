// A value, or a promise of one: what is cached costs no promise, and what has to be loaded does. Only where a tool call pays for it.

export type Ready<T> = T | Promise<T>;

/** Goes on with the value: now, if it is there. */
export const whenReady = <T, R>(value: Ready<T>, next: (value: T) => Ready<R>): Ready<R> =>
  value instanceof Promise ? value.then(next) : next(value);
