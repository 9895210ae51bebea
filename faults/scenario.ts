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
  /** What it needs that not every machine has. */
  needs?: 'redis';
  run(stage: Stage, options: { seconds: number }): Promise<Ledger | Skipped>;
};
