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
  requires_member: "It acts for a member, so an API key alone can't call it.",
  key: "The API key's toolsets don't include it.",
  integration: "The toolsets of the key's integration don't include it.",
  client: "The OAuth client's toolsets don't include it.",
  provider: "The OAuth provider's toolsets don't include it.",
  member: 'The rules for members give no toolset that includes it.',
  grant:
    'The person has not granted it: they approved no toolset that includes it, or it changes data and was added later.',
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

/** The credential that decides is behind the caller: its list is as near as the API gets to it. */
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
