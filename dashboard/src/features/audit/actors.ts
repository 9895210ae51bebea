// Who made a change, in words.

import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@toolgate/sdk';
import { toolgate, useProjectQuery } from '../../api/client.ts';
import type { Option } from '../../ui/forms/options.ts';

type Actor = AuditEntry['actor'];

const kinds: Record<string, string> = {
  account: 'Person',
  api_key: 'API key',
  member: 'Member',
  root: 'Root key',
  system: 'The service itself',
};

/** The filter also takes a kind. */
export const actorKinds: Option[] = [
  { value: 'account', label: 'All people' },
  { value: 'api_key', label: 'All API keys' },
  { value: 'member', label: 'All members' },
  { value: 'root', label: 'Root key' },
  { value: 'system', label: 'The service itself' },
];

export type ActorNames = { name(actor: Actor): string; kind(actor: Actor): string; people: Option[] };

export function useActorNames(): ActorNames {
  const keys = useProjectQuery(['api-keys', 'names'], (api) => api.apiKeys.list({ limit: 100 })).data;
  const accounts = useQuery({
    queryKey: ['organization', 'accounts', 'names'],
    queryFn: () => toolgate.organization.accounts.list({ limit: 100 }),
  }).data;
  const named = [...(accounts?.data ?? []), ...(keys?.data ?? [])];
  return {
    name: ({ id, kind }) => named.find((each) => each.id === id)?.name ?? id ?? kinds[kind] ?? kind,
    kind: ({ id, kind }) => (id === null ? '' : (kinds[kind] ?? kind)),
    people: named.map(({ id, name }) => ({ value: id, label: name })),
  };
}
