import type { Ledger } from '../ledger.ts';
import { useUpLimit } from '../limit-check.ts';
import { oauthRaces } from '../oauth-races.ts';
import { races } from '../races.ts';
import { openLedger, type Stage } from '../stage.ts';
import { makeTenant } from '../tenant.ts';

/** Everything that may exist once is created, or used, 50 times at once over three replicas. */
export async function uniqueRaces(stage: Stage): Promise<Ledger> {
  const { ledger, client } = openLedger(stage.replicas);
  // Requests of one quota group that wait 5 s for a database permit are asked to come again, and do.
  ledger.expected_codes.add('SERVICE_UNAVAILABLE');
  for (const race of [...races, ...oauthRaces]) {
    const tenant = await makeTenant(stage);
    const before = { duplicated: ledger.duplicated, lost: ledger.lost };
    await race.run({ stage, client, ledger, tenant });
    const { duplicated, lost } = ledger;
    if (duplicated > before.duplicated)
      ledger.problems.push(`${race.what}: ${duplicated - before.duplicated} too many`);
    if (lost > before.lost) ledger.problems.push(`${race.what}: nobody succeeded`);
  }
  await useUpLimit(stage, client, ledger, { counters: 1 });
  const postponed = ledger.operations.flatMap(({ attempts }) => attempts).filter(({ status }) => status === 503).length;
  if (postponed > 0)
    ledger.notes.push(`${postponed} requests were asked to come again: too many of one quota group at once`);
  await client.close();
  return ledger;
}
