// How the calls of a tool authenticate to the customer's API: prepared once for each version, with its secret opened.

import { createSecretKey, type KeyObject } from 'node:crypto';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { App } from '../../../../app.ts';
import type { Certificate } from '../../../../outbound/messages.ts';
import { secretForms } from '../../../../outbound/redact-secrets.ts';
import { SecretUnreadable } from '../../../../secrets/aes-gcm.ts';
import { findCertificate } from '../../../activity/certificates/find-certificate.ts';
import { findSigningKey, type SigningKey } from '../../../projects/signing-keys/signing-key.ts';
import { DEFAULT_KEY_HEADER, keyParameterOf, secretProblem } from '../../catalogue/auth-rules.ts';
import { findDestinations, type TokenDestinations } from '../../catalogue/member-token-destination.ts';
import { type SecretColumn, secretContext } from '../../catalogue/secret-context.ts';
import type { ToolRow } from '../../catalogue/tool.ts';
import { encodeQuery } from '../../expansion/expand-query.ts';
import type { TokenSource } from './client-credentials.ts';

export type Credential =
  /** The same header on every call, or none. */
  | ({ kind: 'header'; header: Record<string, string> } & Redacted)
  /** The same query parameter on every call: `parameter` is as it is sent. */
  | ({ kind: 'query'; name: string; parameter: string } & Redacted)
  | ({ kind: 'signature'; key: KeyObject; previous: { key: KeyObject; ends_at: number } | null } & Redacted)
  | ({ kind: 'token'; source: TokenSource } & Redacted)
  /** A JWT about the member, signed with the key of the project. */
  | { kind: 'member_jwt'; key: SigningKey; audience: string }
  /** Such a JWT is exchanged for an access token of the member. */
  | ({
      kind: 'token_exchange';
      source: TokenSource;
      key: SigningKey;
      token_url: string;
      audience: string | undefined;
    } & Redacted)
  /** The member's own token at this provider. */
  | { kind: 'member_token'; provider_id: string; destinations: TokenDestinations }
  /** Detected when the tool is prepared, refused when it is called. */
  | { kind: 'unreadable'; cause: SecretUnreadable };

/** What is redacted in responses: see redact-secrets.ts. */
type Redacted = { secret_forms: readonly Buffer[] };

/** A tool, or an MCP server as one: `table` says which. */
export type CredentialOwner = Pick<
  ToolRow,
  | 'id'
  | 'project_id'
  | 'version'
  | 'base_url'
  | 'timeout_ms'
  | 'auth_strategy'
  | 'auth_config'
  | 'certificate_id'
  | 'auth_secret'
  | 'previous_auth_secret'
  | 'previous_secret_ends_at'
> & { table?: 'mcp_servers' };

/** With what connections to its hosts are made with. */
export type Prepared = { credential: Credential; certificate: Certificate | null };

export async function prepareCredential(app: App, row: CredentialOwner): Promise<Prepared> {
  try {
    const certificate = await findCertificate(app, row.project_id, row.certificate_id);
    return { credential: await readCredential(app, row, certificate), certificate };
  } catch (error) {
    if (error instanceof SecretUnreadable)
      return { credential: { kind: 'unreadable', cause: error }, certificate: null };
    throw error;
  }
}

/** The keys that sign at this time, the newest first. */
export function activeKeys({ key, previous }: Credential & { kind: 'signature' }, now: number): KeyObject[] {
  return previous && now < previous.ends_at ? [key, previous.key] : [key];
}

async function readCredential(app: App, row: CredentialOwner, certificate: Certificate | null): Promise<Credential> {
  const strategy = row.auth_strategy as CustomToolDefinition['auth_strategy'];
  if (strategy === 'none') return { kind: 'header', header: {}, secret_forms: [] };
  if (strategy === 'member_oauth') {
    const provider_id = row.auth_config.oauth_provider_id as string;
    const destinations = await findDestinations(app, row.project_id, provider_id);
    return { kind: 'member_token', provider_id, destinations };
  }
  if (strategy === 'member_jwt')
    return {
      kind: 'member_jwt',
      key: await findSigningKey(app, row.project_id),
      audience: row.auth_config.audience as string,
    };
  const secret = await openSecret(app, row, 'auth_secret');
  const problem = secretProblem(strategy, secret);
  if (problem !== null) throw new SecretUnreadable(problem);
  const secret_forms = secretForms(secret);
  switch (strategy) {
    case 'bearer_token':
      return { kind: 'header', header: { authorization: `Bearer ${secret}` }, secret_forms };
    case 'api_key_header':
      return {
        kind: 'header',
        header: { [(row.auth_config.header_name ?? DEFAULT_KEY_HEADER).toLowerCase()]: secret },
        secret_forms,
      };
    case 'api_key_query': {
      const name = encodeQuery(keyParameterOf({ auth_strategy: strategy, auth_config: row.auth_config }) ?? '');
      return { kind: 'query', name, parameter: `${name}=${encodeQuery(secret)}`, secret_forms };
    }
    case 'basic':
      return {
        kind: 'header',
        header: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
        secret_forms: passwordForms(secret),
      };
    case 'hmac_signature':
      return { kind: 'signature', key: hmacKey(secret), previous: await readPreviousKey(app, row), secret_forms };
    case 'oauth2_client_credentials':
      return { kind: 'token', source: tokenSource(row, secret, certificate), secret_forms };
    case 'token_exchange': {
      const { token_url, audience } = row.auth_config;
      const key = await findSigningKey(app, row.project_id);
      return {
        kind: 'token_exchange',
        source: tokenSource(row, secret, certificate),
        key,
        token_url: token_url as string,
        audience,
        secret_forms,
      };
    }
  }
}

/** The password is found with its user before it too. A short one is searched for only together with its user. */
function passwordForms(secret: string): Buffer[] {
  const forms = secretForms(secret.slice(secret.indexOf(':') + 1));
  return forms.length > 0 ? forms : secretForms(secret);
}

const hmacKey = (secret: string) => createSecretKey(Buffer.from(secret));

async function readPreviousKey(app: App, row: CredentialOwner): Promise<{ key: KeyObject; ends_at: number } | null> {
  const { previous_auth_secret, previous_secret_ends_at } = row;
  const ends_at = previous_secret_ends_at === null ? 0 : Date.parse(previous_secret_ends_at);
  if (previous_auth_secret === null || ends_at <= app.now()) return null;
  try {
    return { key: hmacKey(await openSecret(app, row, 'previous_auth_secret')), ends_at };
  } catch (error) {
    // A call must not fail because of the old secret: the new one is valid.
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

async function openSecret(app: App, row: CredentialOwner, column: SecretColumn): Promise<string> {
  const blob = row[column];
  if (!blob) throw new SecretUnreadable('no secret is stored');
  return app.secrets.openInput(app.database, row.project_id, secretContext(row, column), blob);
}

function tokenSource(row: CredentialOwner, client_secret: string, certificate: Certificate | null): TokenSource {
  const { id, project_id, version, auth_config, timeout_ms } = row;
  const { origin, pathname, search } = new URL(auth_config.token_url as string);
  return {
    // A token may be bound to the certificate that it was asked for with (RFC 8705).
    key: certificate === null ? `${id} ${version}` : `${id} ${version} ${certificate.fingerprint}`,
    project_id,
    origin,
    path: pathname + search,
    client_id: auth_config.client_id as string,
    client_secret,
    scope: auth_config.scope,
    certificate,
    timeout_ms: Math.min(timeout_ms, 10_000),
  };
}
