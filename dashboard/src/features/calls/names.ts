// The names of what calls refer to by their ids: tools, keys and integrations.

import type { ToolCall } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import type { Option } from '../../ui/forms/options.ts';

type CallNames = {
  tools: Option[];
  keys: Option[];
  integrations: Option[];
  /** Who called, in words: the name of the key, or a person who tried the tool. */
  caller(call: Pick<ToolCall, 'api_key_id' | 'account_id'>): string;
};

export function useCallNames(): CallNames {
  const tools = useProjectQuery(['custom-tools', 'names'], (api) => api.customTools.list({ limit: 100 })).data;
  const keys = useProjectQuery(['api-keys', 'names'], (api) => api.apiKeys.list({ limit: 100 }), {
    enabled: useAccess().can('manage_keys'),
  }).data;
  const integrations = useProjectQuery(['integrations', 'names'], (api) => api.integrations.list({ limit: 100 })).data;
  const nameOf = (id: string) => keys?.data.find((key) => key.id === id)?.name ?? id;
  return {
    tools: toOptions(tools?.data),
    keys: toOptions(keys?.data),
    integrations: toOptions(integrations?.data),
    caller: ({ api_key_id, account_id }) => {
      if (api_key_id !== null) return nameOf(api_key_id);
      return account_id === null ? 'Root key' : 'Try it';
    },
  };
}

const toOptions = (rows: { id: string; name: string }[] = []): Option[] =>
  rows.map(({ id, name }) => ({ value: id, label: name }));
