// How a tool authenticates to the customer's API, or toolgate to an MCP server.

import {
  type AuthStrategy,
  DEFAULT_KEY_PARAMETER,
  strategiesOfMembers,
} from '@toolgate/contract/custom-tools/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { CopyableCode } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { CertificateField } from '../certificates/field.tsx';
import { useDecidingPermission } from '../projects/production.ts';
import { type AuthTarget, type AuthValues, hasSecret, strategiesOf } from './auth-values.ts';
import { Group } from './group.tsx';
import { SecretField, secretHints } from './secret.tsx';
import { authSection } from './sections.ts';
import { issuerOf } from './snippets.ts';

/** What is stored; null: nothing yet. */
type Props = { stored: Pick<CustomTool, 'auth_strategy' | 'has_auth_secret'> | null; target?: AuthTarget };

const texts: Record<AuthTarget, string> = {
  tool: 'How toolgate authenticates to your API. Secrets are encrypted and never shown again.',
  mcp_server: "How toolgate authenticates to the server. The callers' own credentials are never passed on.",
};

const audienceHints: Record<AuthTarget, string> = {
  tool: 'Your API accepts only JWTs with this aud.',
  mcp_server: 'The server accepts only JWTs with this aud.',
};

export function AuthGroup({ stored, target = 'tool' }: Props) {
  const { watch } = useFormContext<AuthValues>();
  const strategy = watch('auth_strategy');
  const isStored = stored?.has_auth_secret && stored.auth_strategy === strategy;
  const hint = secretHints[strategy] ?? '';
  const isDiscovered = target === 'mcp_server' && strategy === 'member_oauth';
  return (
    <Group {...authSection} text={texts[target]}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          name="auth_strategy"
          label="Auth strategy"
          options={useStrategies(target, stored?.auth_strategy)}
        />
        {hasSecret(strategy, target) && (
          <SecretField
            hint={isStored ? `A secret is stored. Enter a new one to replace it. ${hint}` : hint}
            canGenerate={strategy === 'hmac_signature'}
          />
        )}
        {strategy === 'api_key_header' && (
          <TextField name="auth_config.header_name" label="Header" placeholder="X-API-Key" hint="Default: X-API-Key" />
        )}
        {strategy === 'api_key_query' && (
          <TextField
            name="auth_config.parameter_name"
            label="Parameter"
            placeholder={DEFAULT_KEY_PARAMETER}
            hint={`Default: ${DEFAULT_KEY_PARAMETER}. Your API's own logs may contain the key.`}
          />
        )}
        {(strategy === 'oauth2_client_credentials' || strategy === 'token_exchange') && (
          <>
            <TextField name="auth_config.token_url" label="Token URL" placeholder="https://auth.example.com/token" />
            <TextField name="auth_config.client_id" label="Client ID" />
            <TextField name="auth_config.scope" label="Scope" hint="Optional" />
          </>
        )}
        {signsJwt(strategy) && (
          <TextField
            name="auth_config.audience"
            label="Audience"
            placeholder="https://api.example.com"
            hint={strategy === 'member_jwt' ? audienceHints[target] : 'Optional'}
          />
        )}
        {isDiscovered && <DiscoveredFields />}
        {strategy === 'member_oauth' && !isDiscovered && <ProviderField />}
        <CertificateField />
      </div>
      {signsJwt(strategy) && <Issuer />}
    </Group>
  );
}

const signsJwt = (strategy: AuthStrategy) => strategy === 'member_jwt' || strategy === 'token_exchange';

/** What the API, or its authorization server, has to trust. */
function Issuer() {
  const issuer = issuerOf(usePublicUrl(), useProjectId());
  return (
    <Facts
      wide
      facts={[
        ['Issuer', <CopyableCode key="issuer" text={issuer} label="Copy the issuer" />],
        ['Keys', <CopyableCode key="keys" text={`${issuer}/jwks.json`} label="Copy the URL of the keys" />],
      ]}
    />
  );
}

/** In production only admins let a tool or a server get the tokens of members. */
function useStrategies(target: AuthTarget, stored: AuthStrategy | undefined) {
  const isAdmin = useAccess().can(useDecidingPermission('write'));
  const isAllowed = (strategy: AuthStrategy) =>
    isAdmin || strategy === stored || !strategiesOfMembers.includes(strategy);
  return strategiesOf(target).map((each) =>
    isAllowed(each.value) ? each : { ...each, label: `${each.label} (admins only)`, disabled: true },
  );
}

/** The server names its authorization server itself. */
function DiscoveredFields() {
  return (
    <>
      <TextField
        name="auth_config.client_id"
        label="Client ID"
        hint="Optional. Without it, toolgate identifies itself with its client metadata document."
      />
      <TextField
        name="auth_config.issuer"
        label="Issuer"
        placeholder="https://auth.example.com"
        hint="Required with a client ID, whose secret is sent nowhere else. Without it, toolgate pins the first issuer that it finds."
      />
      <TextField name="auth_config.scope" label="Scope" hint="Optional" />
    </>
  );
}

function ProviderField() {
  const providers = useProjectQuery(['oauth-providers', 'names'], (api) =>
    api.oauthProviders.list({ limit: 100 }),
  ).data;
  const options = (providers?.data ?? []).map(({ id, provider, client_id }) => ({
    value: id,
    label: `${provider} · ${client_id}`,
  }));
  return (
    <SelectField
      // A select cannot show an option that is not there yet.
      key={providers ? 'loaded' : 'loading'}
      name="auth_config.oauth_provider_id"
      label="Provider"
      options={[{ value: '', label: 'The only provider of the project' }, ...options]}
      hint="The member's token from this provider is sent, to the provider's allowed origins only."
    />
  );
}
