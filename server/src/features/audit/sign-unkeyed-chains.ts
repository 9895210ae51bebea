// Signs the chains that were made before there was a key, and counts their unbound entries. Run once, by the upgrade that
// added the key: a later run would sign what an attacker changed (decision 0058).

import type { App } from '../../app.ts';
import { signHead } from './head.ts';
import { addToTally, lockChain, selectChains, selectTallies, selectUnboundOrganizations } from './store.ts';
import { tallyUnbound } from './verify.ts';

export async function signUnkeyedChains(app: App): Promise<number> {
  const counted = new Set((await selectTallies(app.database)).map(({ organization_id }) => organization_id));
  for (const organization_id of await selectUnboundOrganizations(app.database)) {
    if (counted.has(organization_id)) continue;
    const unbound = await tallyUnbound(app.database, app, organization_id);
    await addToTally(app.database, { organization_id, entries: unbound.entries, mac_sum: String(unbound.mac_sum) });
    await lockChain(app.database, organization_id);
  }
  const unsigned = (await selectChains(app.database)).filter(({ mac }) => mac === null);
  for (const chain of unsigned) await signHead(app, chain, { entries: 0, mac_sum: 0n });
  return unsigned.length;
}
