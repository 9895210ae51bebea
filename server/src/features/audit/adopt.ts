// Once, by the upgrade that brought the key: signs the chains as they are, and counts what is not bound yet. Never again
// afterwards: it would sign whatever somebody has made of them (decision 0058).

import type { App } from '../../app.ts';
import { signHead } from './head.ts';
import { addToTally, lockChain, selectChains, selectTallies, selectUnboundOrganizations } from './store.ts';
import { tallyUnbound } from './verify.ts';

export async function signUnkeyedChains(app: App): Promise<number> {
  const counted = new Set((await selectTallies(app.database)).map(({ organization_id }) => organization_id));
  for (const organization_id of await selectUnboundOrganizations(app.database)) {
    if (counted.has(organization_id)) continue;
    const waiting = await tallyUnbound(app.database, app, organization_id);
    await addToTally(app.database, { organization_id, entries: waiting.entries, mac_sum: String(waiting.mac_sum) });
    await lockChain(app.database, organization_id);
  }
  const unsigned = (await selectChains(app.database)).filter(({ mac }) => mac === null);
  for (const chain of unsigned) await signHead(app, chain, { entries: 0, mac_sum: 0n });
  return unsigned.length;
}
