import { raceRevocations } from '../revocation.ts';
import type { Stage } from '../stage.ts';
import { toolsetRevocations } from '../toolsets.ts';
import { underLoad } from '../under-load.ts';

/** Under load, tools are taken away from keys by their toolsets, at one replica while all three use them. */
export const toolsetRaces = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, ({ ledger, client }) =>
    raceRevocations(stage, { client, ledger, revocations: toolsetRevocations }),
  );
