// Registers the public key of a customer's signing key. The input may be a private key by mistake, so refused input is never
// logged, stored or repeated.

import type { AssertionKey, NewAssertionKey } from '@toolgate/contract/assertion-keys/assertion-key.ts';
import { type AssertionAlgorithm, assertionAlgorithms } from '@toolgate/contract/assertion-keys/rules.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordChange, showAssertionKey } from './assertion-key.ts';
import { readPublicKey } from './public-key.ts';
import { explainPublicKey } from './public-key-advice.ts';
import { insertAssertionKey } from './store.ts';

export async function registerAssertionKey(
  app: App,
  caller: Caller,
  { kid, public_key: pem, algorithm }: NewAssertionKey,
): Promise<AssertionKey> {
  const project = projectOf(caller);
  if (!isSupported(algorithm)) throw refuse.unsupportedAlgorithm({ details: { field: 'algorithm' } });
  const read = readPublicKey(pem, algorithm);
  if (!read) throw refuse.invalidPublicKey({ details: { field: 'public_key', ...explainPublicKey(pem, algorithm) } });

  const { public_key, fingerprint } = read;
  const key = { id: newId('akey'), project_id: project.id, kid, algorithm, public_key, fingerprint };
  return transact(app, async (app) => {
    await refuseBeyondLimit(app, 'assertion_keys', project.id);
    const row = await insertAssertionKey(app.database, { ...key, created_by: creatorOf(caller) });
    if (!row) throw refuse.kidTaken({ details: { field: 'kid', value: kid } });
    app.changes.add(project.id);
    const data = showAssertionKey(row);
    await recordChange(app, caller, { type: 'assertion_key.created', target_id: row.id, data });
    return data;
  });
}

function isSupported(algorithm: string): algorithm is AssertionAlgorithm {
  return (assertionAlgorithms as readonly string[]).includes(algorithm);
}
