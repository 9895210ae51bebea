// What was changed, in words: the name of the target of an audit entry.

import type { AuditEntry } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { useToolsets } from '../tool-access/toolsets.ts';

type Named = { id: string; name: string };

/** Null for what has no name, or was renamed and is not among the first 100 of its kind. */
export type NameTarget = (entry: AuditEntry) => string | null;

/** An entry of something new or deleted has the name itself. For a change it is looked up. */
export function useTargetNames(): NameTarget {
  const tools = useProjectQuery(['custom-tools', 'names'], (api) => api.customTools.list({ limit: 100 })).data;
  const keys = useProjectQuery(['api-keys', 'names'], (api) => api.apiKeys.list({ limit: 100 })).data;
  const toolsets = useToolsets();
  const integrations = useProjectQuery(['integrations', 'names'], (api) => api.integrations.list({ limit: 100 })).data;
  const webhooks = useProjectQuery(['webhooks', 'names'], (api) => api.webhooks.list({ limit: 100 })).data;
  const named: Named[] = [
    ...(tools?.data ?? []),
    ...(keys?.data ?? []),
    ...(toolsets ?? []),
    ...(integrations?.data ?? []),
    ...(webhooks?.data ?? []).map(({ id, url }) => ({ id, name: url })),
  ];
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return ({ target_id, before, after }) => nameIn(after) ?? names.get(target_id) ?? nameIn(before);
}

function nameIn(state: AuditEntry['before']): string | null {
  for (const field of ['name', 'kid', 'url', 'email', 'external_id'] as const)
    if (typeof state?.[field] === 'string') return state[field];
  return null;
}
