import { duringFault, type Ledger } from '../ledger.ts';
import { credentialRevocations, raceRevocations } from '../revocation.ts';
import { openLedger, type Stage } from '../stage.ts';
import { toolsetRevocations } from '../toolsets.ts';
import { untilServing } from '../under-load.ts';

/**
 * The same while notifications of changes do not arrive: before each revocation the connection on which every replica receives
 * them stays open and transports nothing any more. Its other connections work.
 */
export async function revocationUnnotified(stage: Stage): Promise<Ledger> {
  const { ledger, client } = openLedger(stage.replicas);
  await raceRevocations(stage, {
    client,
    ledger,
    revocations: [...credentialRevocations, ...toolsetRevocations],
    async beforeEach() {
      await duringFault(ledger, () => stage.proxies.act('leaveMarkedHalfOpen'));
    },
  });
  await untilServing(stage);
  await client.close();
  return ledger;
}
