// How much time an MCP server has left for its list. Our own work on a page is not its fault: a busy machine or database must not make it
// look unreachable.

export type ServerTime = {
  /** In milliseconds; negative when it is over. */
  remaining(): number;
  /** What the work takes is not counted, also when it fails. */
  uncounted<T>(work: () => Promise<T>): Promise<T>;
};

export function startServerTime(limit_ms: number): ServerTime {
  let deadline = performance.now() + limit_ms;
  return {
    remaining: () => deadline - performance.now(),
    async uncounted(work) {
      const started = performance.now();
      try {
        return await work();
      } finally {
        deadline += performance.now() - started;
      }
    },
  };
}
