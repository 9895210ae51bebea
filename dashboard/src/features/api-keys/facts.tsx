// What is known about API keys beside their record: names of creators and integrations, calls, and hints.

import { useQuery } from '@tanstack/react-query';
import { DELETED_MEMBER } from '@toolgate/contract/members/rules.ts';
import type { ApiKey } from '@toolgate/sdk';
import { toolgate, useProjectQuery } from '../../api/client.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Time, useNow } from '../../ui/time.tsx';

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;
const UNUSED_DAYS = 30;

/** "Project" or the name of the integration, and who created the key. */
export function useKeyNames(): { source(key: ApiKey): string; creator(key: ApiKey): string } {
  const integrations = useProjectQuery(['integrations', 'names'], (api) => api.integrations.list({ limit: 100 })).data;
  const people = useQuery({
    queryKey: ['organization', 'accounts', 'names'],
    queryFn: () => toolgate.organization.accounts.list({ limit: 100 }),
  }).data;
  return {
    source: ({ integration_id }) =>
      integration_id === null
        ? 'Project'
        : (integrations?.data.find(({ id }) => id === integration_id)?.name ?? 'Integration'),
    creator: ({ created_by }) => people?.data.find(({ id }) => id === created_by)?.name ?? creatorKind(created_by),
  };
}

function creatorKind(id: string): string {
  if (id.startsWith('key_')) return 'another key';
  if (id === DELETED_MEMBER) return 'a deleted member';
  return id.startsWith('usr_') ? 'a former member' : 'the operator';
}

/** Active, and not used for a month. */
export function isUnused({ status, last_used_at, created_at }: ApiKey): boolean {
  return status === 'active' && Date.parse(last_used_at ?? created_at) < Date.now() - UNUSED_DAYS * DAY_MS;
}

/** What is shown of a key: logs and tickets name it by its beginning. */
export function KeyCode({ apiKey: { prefix, last4 } }: { apiKey: ApiKey }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="truncate text-muted text-xs">
        {prefix}…{last4}
      </code>
      <CopyIcon text={prefix} label="Copy prefix" />
    </span>
  );
}

export function ExpiryTime({ apiKey: { expires_at, status } }: { apiKey: ApiKey }) {
  const now = useNow();
  const left = expires_at === null ? null : Date.parse(expires_at) - now;
  const isSoon = status === 'active' && left !== null && left < WARN_DAYS * DAY_MS;
  return (
    <span className={isSoon ? 'font-medium text-warning' : undefined}>
      <Time value={expires_at} />
    </span>
  );
}
