// What a scenario is.

import type { Ledger } from './ledger.ts';
import type { Stage } from './stage.ts';

/** Why it could not run on this machine. */
export type Skipped = { skipped: string };

export type Scenario = {
  name: string;
  /** What happens in it, for the table. */
  title: string;
  /** How long its load lasts by default. */
  seconds: number;
  /** Named on the command line, it runs all of them. They have a table of their own. */
  group?: 'failover';
  /** What it needs that this machine does not have. */
  skip?: string | false;
  /** Opens what it runs on; without it, one PostgreSQL and one Redis. Scenarios in a row with the same one share it. */
  open?: () => Promise<Stage>;
  run(stage: Stage, options: { seconds: number }): Promise<Ledger | Skipped>;
};
