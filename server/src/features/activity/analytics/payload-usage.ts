// How many bytes of arguments and results a project has recorded today, of those that a day has.

import { MAX_PAYLOAD_BYTES_PER_DAY, type PayloadUsage } from '@toolgate/contract/analytics/payload-usage.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { selectPayloadBytes } from './read-store.ts';

const DAY_MS = 86_400_000;

export async function readPayloadUsage(app: App, caller: Caller): Promise<PayloadUsage> {
  const now = app.now();
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  const bytes = await selectPayloadBytes(app.database, projectOf(caller).id, day);
  return {
    object: 'payload_usage',
    limit_bytes: MAX_PAYLOAD_BYTES_PER_DAY,
    used_bytes: Math.min(bytes, MAX_PAYLOAD_BYTES_PER_DAY),
    resets_at: new Date(day + DAY_MS).toISOString(),
  };
}
