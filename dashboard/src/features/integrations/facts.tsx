// What is known about an integration beside its record: whether its keys are in use.

import type { ApiKey, Integration } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { showHidden } from '../../ui/words.ts';

/** The keys of all integrations by integration, for the list. Undefined until they are known, or if the person may not read them. */
export function useIntegrationKeys(): Map<string, ApiKey[]> | undefined {
  const isAllowed = useAccess().can('manage_keys');
  const keys = useProjectQuery(
    ['api-keys', 'by integration'],
    (toolgate) => readWhole((page) => toolgate.apiKeys.list(page)),
    { enabled: isAllowed },
  ).data;
  return keys && isAllowed ? byIntegration(keys.data) : undefined;
}

function byIntegration(keys: ApiKey[]): Map<string, ApiKey[]> {
  const found = new Map<string, ApiKey[]>();
  for (const key of keys) {
    if (key.integration_id) found.set(key.integration_id, [...(found.get(key.integration_id) ?? []), key]);
  }
  return found;
}

export const activeKeys = (keys: ApiKey[]) => keys.filter(({ status }) => status === 'active');

/** The newest use of any of the keys. */
export function lastUse(keys: ApiKey[]): string | null {
  const times = keys.map(({ last_used_at }) => last_used_at).filter((time) => time !== null);
  return times.sort().at(-1) ?? null;
}

export function ConnectionBadge({ keys }: { keys: ApiKey[] }) {
  if (activeKeys(keys).length === 0) return <Badge tone="warning">No active key</Badge>;
  return lastUse(keys) ? <Badge tone="success">Connected</Badge> : <Badge tone="accent">Not used yet</Badge>;
}

/** What stops working when the integration is deleted. */
export function Consequences({ integration, keys }: { integration: Integration; keys: ApiKey[] | undefined }) {
  const active = keys && activeKeys(keys);
  return (
    <>
      <p>This cannot be undone. From now on:</p>
      <ul className="mt-1 list-disc pl-5">
        {active === undefined && (
          <li>
            all API keys of “<Name text={integration.name} />” are refused,
          </li>
        )}
        {active?.length === 0 && <li>it has no active API key, so no current requests are affected,</li>}
        {active && active.length > 0 && (
          <li>
            {active.length === 1 ? 'its API key is' : `its ${active.length} active API keys are`} refused:{' '}
            <span className="break-words text-ink">{nameKeys(active)}</span>
            {lastUsed(active)},
          </li>
        )}
        <li>the member sessions that these keys created are revoked.</li>
      </ul>
    </>
  );
}

const SHOWN_NAMES = 5;

function nameKeys(keys: ApiKey[]): string {
  const names = keys.slice(0, SHOWN_NAMES).map(({ name }) => name);
  return showHidden(names.join(', ')) + (keys.length > SHOWN_NAMES ? ` and ${keys.length - SHOWN_NAMES} more` : '');
}

function lastUsed(keys: ApiKey[]): string {
  const time = lastUse(keys);
  return time ? ` (last used ${time.slice(0, 10)})` : ' (never used)';
}
