// What the primary process and its workers tell each other. node:cluster shares the port; everything else is here.

import type { Connection } from '../database/connection.ts';
import type { MetricValues } from '../metrics/metrics.ts';

export type ToWorker =
  /** The first message. `connection` is the embedded PostgreSQL, which the primary owns. */
  | { kind: 'start'; connection: Connection | null; is_first: boolean }
  /** Run the background jobs from now on. */
  | { kind: 'jobs' }
  /** Another worker takes over: finish, and end. */
  | { kind: 'replace' }
  | { kind: 'collect'; id: number }
  | { kind: 'metrics'; id: number; collected: MetricValues[] };

export type ToPrimary =
  | { kind: 'ready' }
  /** Asks for the metrics of all workers. `values` are those of this one. */
  | { kind: 'metrics'; id: number; values: MetricValues }
  | { kind: 'collected'; id: number; values: MetricValues }
  /** The last values of a worker that ends. */
  | { kind: 'final'; values: MetricValues };
