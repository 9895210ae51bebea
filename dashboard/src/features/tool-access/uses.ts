// What each toolset is assigned to, and what sees every tool: read from keys, integrations, OAuth clients and providers, limits, and
// from the rules for members.

import { useQuery } from '@tanstack/react-query';
import type { Toolset } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { useAccess } from '../../api/session.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { useToolsets } from './toolsets.ts';

export type UseKind = 'api_key' | 'integration' | 'oauth_client' | 'oauth_provider' | 'project' | 'limit' | 'hook';

/** `toolset_ids` null: every tool. */
export type Use = {
  kind: UseKind;
  id: string;
  name: string;
  toolset_ids: readonly string[] | null;
  /** A key that is revoked or expired: it keeps its list, and counts as assigned, but sees nothing. */
  isOver?: boolean;
};

export type Uses = {
  /** Undefined until everything is read. */
  all: Use[] | undefined;
  /** The person may not read keys, so they are missing. */
  lacksKeys: boolean;
};

export const useKinds: Record<UseKind, string> = {
  api_key: 'API key',
  integration: 'Integration',
  oauth_client: 'OAuth client',
  oauth_provider: 'OAuth provider',
  project: 'Members',
  limit: 'Limit',
  hook: 'Hook',
};

export function useUses(): Uses {
  const canReadKeys = useAccess().can('manage_keys');
  const keys = useProjectQuery(['api-keys', 'uses'], (api) => readWhole((page) => api.apiKeys.list(page)), {
    enabled: canReadKeys,
  }).data;
  const integrations = useProjectQuery(['integrations', 'uses'], (api) =>
    readWhole((page) => api.integrations.list(page)),
  ).data;
  const clients = useProjectQuery(['oauth-clients', 'all'], (api) =>
    readWhole((page) => api.oauthClients.list(page)),
  ).data;
  const providers = useProjectQuery(['oauth-providers', 'all'], (api) =>
    readWhole((page) => api.oauthProviders.list(page)),
  ).data;
  const limits = useLimitUses();
  const hooks = useHookUses();
  const rules = useMemberRules();
  const isKnown = (keys || !canReadKeys) && integrations && clients && providers && limits && hooks && rules;
  if (!isKnown) return { all: undefined, lacksKeys: !canReadKeys };
  const of = (kind: UseKind, rows: (Omit<Use, 'kind'> & { status?: string })[]): Use[] =>
    rows.map(({ id, name, toolset_ids, status = 'active' }) => ({
      kind,
      id,
      name: status === 'active' ? name : `${name} (${status})`,
      toolset_ids,
      isOver: status === 'revoked' || status === 'expired',
    }));
  return {
    lacksKeys: !canReadKeys,
    all: [
      ...of('api_key', keys?.data ?? []),
      ...of('integration', integrations.data),
      ...of('oauth_client', clients.data),
      ...of('oauth_provider', providers.data),
      ...limits,
      ...hooks,
      rules,
    ],
  };
}

/** Limits of the tools of a toolset. They name it by slug, and see nothing. */
function useLimitUses(): Use[] | undefined {
  const limits = useProjectQuery(['limits', 'all'], (api) => readWhole((page) => api.limits.list(page))).data;
  const toolsets = useToolsets();
  if (!limits || !toolsets) return undefined;
  return limits.data.map(({ id, name, match }) => {
    const slug = match && 'toolset' in match ? match.toolset : null;
    return {
      kind: 'limit',
      id,
      name,
      toolset_ids: toolsets.filter((each) => each.slug === slug).map((each) => each.id),
    };
  });
}

/** Hooks that are asked about the tools of a toolset; none for who may not read hooks. */
function useHookUses(): Use[] | undefined {
  const isAllowed = useAccess().can('admin');
  const hooks = useProjectQuery(['hooks', 'uses'], (api) => api.hooks.list(), { enabled: isAllowed }).data;
  const toolsets = useToolsets();
  if (!isAllowed) return [];
  if (!hooks || !toolsets) return undefined;
  return hooks.data.map(({ id, url, match }) => {
    const slug = match && 'toolset' in match ? match.toolset : null;
    return {
      kind: 'hook',
      id,
      name: url,
      toolset_ids: toolsets.filter((each) => each.slug === slug).map((each) => each.id),
    };
  });
}

/** The rules for members as one use. They name toolsets by slug. */
function useMemberRules(): Use | undefined {
  const project = useQuery({ ...projectQuery(useProjectId()), enabled: false }).data;
  const toolsets = useToolsets();
  if (!project || !toolsets) return undefined;
  const { default: everybody, rules } = project.settings.member_access;
  const slugs = [...(everybody ?? []), ...rules.flatMap((rule) => rule.toolsets)];
  const ids = toolsets.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id);
  const seesAll = everybody === null && rules.length === 0;
  return { kind: 'project', id: project.id, name: 'Rules for members', toolset_ids: seesAll ? null : ids };
}

export const usesOf = ({ id }: Pick<Toolset, 'id'>, uses: Use[]) =>
  uses.filter(({ toolset_ids }) => toolset_ids?.includes(id));
