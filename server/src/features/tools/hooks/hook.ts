// A hook as it is stored and as the API shows it. Its secret is only in the response that created it.

import type { Hook } from '@toolgate/contract/hooks/hook.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { showMatch } from '../limits/match.ts';

/** `toolset`: the slug of the toolset that it matches. */
export type HookRow = Omit<Row<'hooks'>, 'secret' | 'previous_secret'> & { toolset: string | null };

export function showHook({ tool_ids, toolset_id, toolset, tags, ...row }: HookRow, now: number): Hook {
  const { previous_secret_ends_at: ends } = row;
  return {
    object: 'hook',
    ...row,
    match: showMatch({ tool_ids, toolset_id, toolset, tags }),
    previous_secret_ends_at: ends !== null && Date.parse(ends) > now ? ends : null,
  };
}

/** As its certificate is checked. */
export const certificateUser = ({ certificate_id, url }: Pick<HookRow, 'certificate_id' | 'url'>) => ({
  certificate_id,
  hosts: { url },
});

/** Changes of hooks have an audit entry and no event: a webhook would tell receivers which policies there are. */
type AuditOnly = 'hook.created' | 'hook.updated' | 'hook.deleted' | 'hook.secret_rotated';

export const { recordChange } = recorderOf<Record<never, never>, AuditOnly>({});
