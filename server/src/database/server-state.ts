// What a server says about itself: which one it is, and whether it takes writes.

export type ServerState = {
  /** Differs from that of every other server, also of the same cluster. */
  server: string;
  is_read_only: boolean;
};

/** As columns: for statements that read something else too. */
export const SERVER_STATE = `extract(epoch from pg_postmaster_start_time())::text as server,
  current_setting('transaction_read_only') = 'on' as is_read_only`;

/** What a server says that takes no writes: the code of PostgreSQL, so that it counts as unavailable. */
export const readOnly = () =>
  Object.assign(new Error('the server takes no writes: it is a standby, or read-only'), { code: '25006' });

/** A connection that leads to another server than the one whose notifications are received. */
export const otherServer = () =>
  Object.assign(new Error('requests and notifications lead to different servers of PostgreSQL'), { code: '08006' });

export const isWrongServer = (error: unknown) =>
  ['25006', '08006'].includes(String((error as { code?: unknown } | null)?.code));
