// Records an event when a certificate comes near to its end: once for each of 30, 7 and 1 days. One that is stored later than
// that has one event for the last of them that has passed.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { recordChange } from './certificate.ts';
import { claimExpiring } from './store.ts';
import { findUses } from './uses.ts';

const BATCH_SIZE = 100;
const DAY_MS = 86_400_000;

/** Returns true if there may be more to record. */
export async function warnOfExpiry(app: App): Promise<boolean> {
  return transact(app, async (app) => {
    const now = app.now();
    const expiring = await claimExpiring(app.database, new Date(now).toISOString(), BATCH_SIZE);
    for (const { organization_id, ...certificate } of expiring) {
      const { id, project_id, expires_at } = certificate;
      const { use_count } = (await findUses(app.database, project_id, [id]))(id);
      const days_left = Math.max(0, Math.floor((Date.parse(expires_at) - now) / DAY_MS));
      const data = { object: 'certificate' as const, ...certificate, days_left, use_count };
      const change = { type: 'certificate.expiring', target_id: id, data } as const;
      await recordChange(app, 'system', change, { id: project_id, organization_id });
    }
    return expiring.length === BATCH_SIZE;
  });
}
