// Who asked for a call, in words.

import type { Approval } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';

type Asked = Pick<Approval, 'api_key_id' | 'member_id' | 'account_id'>;

/** The name of the key, the id of the member, or a person who tries the tool. */
export function useAskerName(): (asked: Asked) => string {
  const keys = useProjectQuery(['api-keys', 'names'], (api) => api.apiKeys.list({ limit: 100 }), {
    enabled: useAccess().can('manage_keys'),
  }).data;
  return ({ api_key_id, member_id, account_id }) => {
    if (member_id !== null) return member_id;
    if (api_key_id !== null) return keys?.data.find(({ id }) => id === api_key_id)?.name ?? api_key_id;
    return account_id === null ? 'An app' : 'A person trying the tool';
  };
}
