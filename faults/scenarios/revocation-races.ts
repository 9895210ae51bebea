import type { Ledger } from '../ledger.ts';
import { raceRevocations } from '../revocation.ts';
import { openLedger, type Stage } from '../stage.ts';

/** Keys, sessions, tools and a project are revoked at one replica while all three use them. */
export async function revocationRaces(stage: Stage): Promise<Ledger> {
  const { ledger, client } = openLedger(stage.replicas);
  await raceRevocations(stage, { client, ledger });
  await client.close();
  return ledger;
}
