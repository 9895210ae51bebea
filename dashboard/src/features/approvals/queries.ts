// What the pages and the menu read about approvals.

import type { Approval } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { useAccess, useAccount } from '../../api/session.ts';

/** Somebody waits for the answer. */
export const INBOX_EVERY_MS = 3_000;
const BADGE_EVERY_MS = 15_000;
const MOST_COUNTED = 100;

/** How many calls wait, for the menu; undefined: none, or not known. */
export function usePendingCount(): string | undefined {
  const { data } = useProjectQuery(
    ['approvals', 'pending-count'],
    (api) => api.approvals.list({ status: 'pending', limit: MOST_COUNTED }),
    { refetchInterval: BADGE_EVERY_MS },
  );
  if (!data || data.data.length === 0) return undefined;
  return data.nextCursor === null ? String(data.data.length) : `${MOST_COUNTED}+`;
}

/** Why the person who is signed in does not decide about it; undefined: they do. */
export function useReasonNotToDecide({ by, member_id, account_id }: Approval): string | undefined {
  const account = useAccount();
  const isAdmin = useAccess().can('admin');
  if (by === 'user' && member_id !== null)
    return 'The member approves or declines this call on the linked page, or your backend does it for them.';
  if (account !== undefined && account.id === account_id)
    return 'You made this call, so another person has to approve it.';
  if (isAdmin || account?.can_approve) return undefined;
  return `Your role, ${account?.role}, cannot approve calls. An owner or admin can let you approve, under People.`;
}
