// How many connections to PostgreSQL a process may open. Every pool of a server has its size from here.

export const poolSizes = {
  requests: 16,
  /** Jobs, and rows that no request waits for. */
  background: 4,
} as const;
