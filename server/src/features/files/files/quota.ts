// How many bytes an organization and a member may store. Exact also for uploads at the same time: what an upload reserves is added to
// the sum in its transaction, which holds the sum until it commits or is refused.

import { MAX_MEMBER_FILE_BYTES, MAX_ORGANIZATION_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { type FileRow, selectExceeded } from './store.ts';

/** In the transaction that reserved the bytes. */
export async function refuseBeyondQuota(app: App, { fairness_key, member_id }: FileRow): Promise<void> {
  const exceeded = await selectExceeded(app.database, [
    { subject: fairness_key, max_bytes: MAX_ORGANIZATION_FILE_BYTES },
    ...(member_id === null ? [] : [{ subject: member_id, max_bytes: MAX_MEMBER_FILE_BYTES }]),
  ]);
  if (exceeded.length === 0) return;
  const isMember = exceeded.some(({ subject }) => subject === member_id);
  throw refuse.limitReached({
    details: isMember
      ? { limit_bytes: MAX_MEMBER_FILE_BYTES, reason: 'member_files_full' }
      : { limit_bytes: MAX_ORGANIZATION_FILE_BYTES, reason: 'organization_files_full' },
  });
}
