// Registers the public key of a customer's signing key. The input may be a private key by mistake, so refused input is never
// logged, stored or repeated.

import { z } from 'zod';
import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import { refuseBeyondLimit } from '../../api/resource-limit.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { type AssertionKey, kid, showAssertionKey } from './assertion-key.ts';
import { recordChange } from './events.ts';
import { type AssertionAlgorithm, assertionAlgorithms, readPublicKey } from './public-key.ts';
import { explainPublicKey } from './public-key-advice.ts';
import { insertAssertionKey } from './store.ts';

export const newAssertionKey = z
  .strictObject({
    kid,
    public_key: z.string().meta({
      description: 'The public key as PEM: one `PUBLIC KEY` block, nothing else',
      example: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
    }),
    // Any string: an unknown algorithm has its own refusal, not a validation error (spec 7).
    algorithm: z.string().meta({
      description: `What assertions are signed with: one of ${assertionAlgorithms.join(', ')}`,
      example: 'ES256',
    }),
  })
  .meta({ id: 'NewAssertionKey' });

export async function registerAssertionKey(
  app: App,
  caller: Caller,
  { kid, public_key: pem, algorithm }: z.infer<typeof newAssertionKey>,
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
