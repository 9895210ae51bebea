// The names of those whose calls a limit counts: keys, integrations, OAuth clients and members.

import { useQueries } from '@tanstack/react-query';
import type { LimitSubject } from '@toolgate/contract/limits/rules.ts';
import { projectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';

export type Subject = { value: string; label: string };

/** Members are read one by one: a project may have any number of them. */
const MOST_MEMBERS = 20;

/** Those that can be chosen by name. The first hundred members, and `ids`. */
export function useSubjects(per: LimitSubject, ids: readonly string[] = []): Subject[] {
  const projectId = useProjectId();
  const access = useAccess();
  const keys = useProjectQuery(['api-keys', 'uses'], (api) => readWhole((page) => api.apiKeys.list(page)), {
    enabled: per === 'api_key' && access.can('manage_keys'),
  }).data;
  const integrations = useProjectQuery(
    ['integrations', 'uses'],
    (api) => readWhole((page) => api.integrations.list(page)),
    { enabled: per === 'integration' },
  ).data;
  const clients = useProjectQuery(['oauth-clients', 'all'], (api) => readWhole((page) => api.oauthClients.list(page)), {
    enabled: per === 'oauth_client',
  }).data;
  const isForMembers = per === 'member' && access.can('admin');
  const members = useProjectQuery(['members', 'first'], (api) => api.members.list({ limit: 100 }), {
    enabled: isForMembers,
  }).data;
  const others = useMembers(isForMembers ? ids.filter((id) => !members?.data.some((member) => member.id === id)) : []);
  if (per === 'project') return [{ value: projectId, label: 'The project' }];
  if (per === 'api_key') return (keys?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (per === 'integration') return (integrations?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (per === 'oauth_client') return (clients?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return [...(members?.data ?? []), ...others].map(({ id, external_id }) => ({ value: id, label: external_id }));
}

function useMembers(ids: readonly string[]) {
  const projectId = useProjectId();
  return useQueries({
    queries: ids.slice(0, MOST_MEMBERS).map((id) => ({
      queryKey: ['projects', projectId, 'members', 'one', id],
      queryFn: () => projectApi(projectId).members.get(id),
      retry: false,
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  });
}

/** Ids without a name stay ids. */
export function useSubjectNames(per: LimitSubject, ids: readonly string[]): (id: string) => string {
  const names = new Map(useSubjects(per, ids).map(({ value, label }) => [value, label]));
  return (id) => names.get(id) ?? id;
}
