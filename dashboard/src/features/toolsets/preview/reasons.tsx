// Why a caller does not see a tool, in words, with a link to the place that decides it.

import { Link } from '@tanstack/react-router';
import type { EffectiveTool } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../../api/client.ts';
import { useAccess } from '../../../api/session.ts';
import { inlineLinkClass } from '../../../ui/button.tsx';
import { readWhole } from '../../../ui/lists/whole-list.ts';
import type { PreviewCaller } from './caller.ts';

export type Refusal = NonNullable<EffectiveTool['refused_by']>;

const texts: Record<Refusal, string> = {
  disabled: 'The tool is disabled.',
  requires_member: 'It acts for a member, so an API key alone cannot call it.',
  key: 'The API key is narrowed to toolsets without it.',
  integration: 'The integration of the key is narrowed to toolsets without it.',
  client: 'The OAuth client is narrowed to toolsets without it.',
  provider: 'The OAuth provider is narrowed to toolsets without it.',
  member: 'The rules for members give no toolset with it.',
  grant:
    'The person has not granted it: it is in no toolset that they approved, or it changes something and was added afterwards.',
};

type Props = { tool: EffectiveTool; refusedBy: Refusal; caller: PreviewCaller };

export function ReasonWithFix({ tool, refusedBy, caller }: Props) {
  return (
    <span className="whitespace-normal">
      {texts[refusedBy]} <Fix tool={tool} refusedBy={refusedBy} caller={caller} />
    </span>
  );
}

function Fix({ tool, refusedBy, caller }: Props) {
  const projectId = useProjectId();
  const look = { className: inlineLinkClass };
  if (refusedBy === 'disabled' || refusedBy === 'requires_member')
    return (
      <Link to="/projects/$projectId/custom-tools/$toolId" params={{ projectId, toolId: tool.tool_id }} {...look}>
        {refusedBy === 'disabled' ? 'Enable it' : 'Open the tool'}
      </Link>
    );
  if (refusedBy === 'key' && caller.name === 'api_key_id')
    return (
      <Link to="/projects/$projectId/api-keys/$apiKeyId" params={{ projectId, apiKeyId: caller.id }} {...look}>
        Change the key
      </Link>
    );
  if (refusedBy === 'member')
    return (
      <Link to="/projects/$projectId/settings" params={{ projectId }} hash="member-access" {...look}>
        Change the rules
      </Link>
    );
  if (refusedBy === 'grant')
    return (
      <Link to="/projects/$projectId/toolsets" params={{ projectId }} {...look}>
        See which can be granted
      </Link>
    );
  return <OtherFix refusedBy={refusedBy} caller={caller} />;
}

/** The credential that decides is behind the caller: its list is as near as the answer of the API leads. */
function OtherFix({ refusedBy, caller }: Pick<Props, 'refusedBy' | 'caller'>) {
  const projectId = useProjectId();
  const integrationId = useIntegrationOf(caller);
  const look = { className: inlineLinkClass };
  if (refusedBy === 'key')
    return (
      <Link to="/projects/$projectId/api-keys" params={{ projectId }} {...look}>
        API keys
      </Link>
    );
  if (refusedBy === 'integration')
    return integrationId ? (
      <Link to="/projects/$projectId/integrations/$integrationId" params={{ projectId, integrationId }} {...look}>
        Change the integration
      </Link>
    ) : (
      <Link to="/projects/$projectId/integrations" params={{ projectId }} {...look}>
        Integrations
      </Link>
    );
  const search = refusedBy === 'client' && caller.name === 'oauth_client_id' ? { search: caller.id } : {};
  return (
    <Link to="/projects/$projectId/oauth" params={{ projectId }} search={search} {...look}>
      {refusedBy === 'client' ? 'Change the client' : 'Change the provider'}
    </Link>
  );
}

/** For a key or a client that is listed; undefined if it is not known. */
function useIntegrationOf({ name, id }: PreviewCaller): string | null | undefined {
  const canReadKeys = useAccess().can('manage_keys');
  const isKey = name === 'api_key_id' && canReadKeys;
  const keys = useProjectQuery(['api-keys', 'uses'], (api) => readWhole((page) => api.apiKeys.list(page)), {
    enabled: isKey,
  }).data;
  const clients = useProjectQuery(['oauth-clients', 'all'], (api) => readWhole((page) => api.oauthClients.list(page)), {
    enabled: name === 'oauth_client_id',
  }).data;
  const rows = isKey ? keys?.data : clients?.data;
  return rows?.find((row) => row.id === id)?.integration_id;
}
