// The tools, toolsets, MCP servers, API keys, members and webhooks of the project by their names, for the command palette.

import { useQuery } from '@tanstack/react-query';
import type { Toolgate } from '@toolgate/sdk';
import { Group, KeyRound, type LucideIcon, Unplug, Users, Webhook, Wrench } from 'lucide-react';
import { useDeferredValue } from 'react';
import { projectApi, useProjectId } from '../api/client.ts';
import { type Permission, useAccess } from '../api/session.ts';

export type NamedResource = { id: string; label: string; what: string; icon: LucideIcon };

/** Less would find almost everything. */
const SHORTEST_TEXT = 2;
const MOST_OF_A_KIND = 5;
const PAGE_SIZE = 100;

type Kind = {
  what: string;
  icon: LucideIcon;
  needs: Permission;
  /** The API searches tools and members. The lists of toolsets, servers, keys and webhooks are short, and searched here. */
  find(api: Toolgate, text: string): Promise<{ id: string; label: string }[]>;
};

const kinds: Kind[] = [
  {
    ...{ what: 'Tool', icon: Wrench, needs: 'read' },
    async find(api, search) {
      const { data } = await api.customTools.list({ search, limit: MOST_OF_A_KIND });
      return data.map(({ id, name }) => ({ id, label: name }));
    },
  },
  {
    ...{ what: 'Toolset', icon: Group, needs: 'read' },
    async find(api, text) {
      const { data } = await api.toolsets.list({ limit: PAGE_SIZE });
      return containing(
        text,
        data.map(({ id, name, slug }) => ({ id, label: name, url: slug })),
      );
    },
  },
  {
    ...{ what: 'MCP server', icon: Unplug, needs: 'read' },
    async find(api, text) {
      const { data } = await api.mcpServers.list({ limit: PAGE_SIZE });
      return containing(
        text,
        data.map(({ id, name, url }) => ({ id, label: name, url })),
      );
    },
  },
  {
    ...{ what: 'API key', icon: KeyRound, needs: 'manage_keys' },
    async find(api, text) {
      const { data } = await api.apiKeys.list({ limit: PAGE_SIZE });
      return containing(
        text,
        data.map(({ id, name }) => ({ id, label: name })),
      );
    },
  },
  {
    ...{ what: 'Member', icon: Users, needs: 'admin' },
    async find(api, search) {
      const { data } = await api.members.list({ search, limit: MOST_OF_A_KIND });
      return data.map(({ id, external_id }) => ({ id, label: external_id }));
    },
  },
  {
    ...{ what: 'Webhook', icon: Webhook, needs: 'read' },
    async find(api, text) {
      const { data } = await api.webhooks.list({ limit: PAGE_SIZE });
      return containing(
        text,
        data.map(({ id, url, description }) => ({ id, label: description || url, url })),
      );
    },
  },
];

function containing<T extends { label: string; url?: string }>(text: string, rows: T[]): T[] {
  const searched = text.toLowerCase();
  return rows.filter(({ label, url = '' }) => `${label} ${url}`.toLowerCase().includes(searched));
}

/** A kind that cannot be read is left out: the palette is not a place for its error. */
export function useNamedResources(typed: string): NamedResource[] {
  const projectId = useProjectId();
  const access = useAccess();
  const text = useDeferredValue(typed.trim());
  const readable = kinds.filter(({ needs }) => access.can(needs));
  const { data = [] } = useQuery({
    queryKey: ['projects', projectId, 'named-resources', text],
    enabled: projectId !== '' && text.length >= SHORTEST_TEXT,
    queryFn: async () => {
      const found = await Promise.allSettled(
        readable.map(async ({ what, icon, find }) =>
          (await find(projectApi(projectId), text))
            .slice(0, MOST_OF_A_KIND)
            .map(({ id, label }) => ({ id, label, what, icon })),
        ),
      );
      return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  });
  return data;
}
