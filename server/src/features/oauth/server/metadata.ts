// What clients discover: the authorization server (RFC 8414), and the MCP endpoints that it protects (RFC 9728).

import { jwtAlgorithms, oauthGrantTypes } from '@toolgate/contract/oauth-clients/rules.ts';
import type { App } from '../../../app.ts';

const oauth = '/api/v1/oauth';
/** The grant type of ID-JAGs (RFC 7523). */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** All projects share it, so it names no scope of one. */
export function serverMetadata({
  public_url,
  dynamic_registration,
}: Pick<App['config'], 'public_url' | 'dynamic_registration'>) {
  const secret_methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const signing = [...jwtAlgorithms];
  return {
    issuer: public_url,
    authorization_endpoint: `${public_url}${oauth}/authorize`,
    token_endpoint: `${public_url}${oauth}/token`,
    revocation_endpoint: `${public_url}${oauth}/revoke`,
    introspection_endpoint: `${public_url}${oauth}/introspect`,
    ...(dynamic_registration ? { registration_endpoint: `${public_url}${oauth}/register` } : {}),
    scopes_supported: ['mcp'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...oauthGrantTypes, JWT_BEARER],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    token_endpoint_auth_methods_supported: [...secret_methods, 'none'],
    token_endpoint_auth_signing_alg_values_supported: signing,
    revocation_endpoint_auth_methods_supported: [...secret_methods, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: signing,
    introspection_endpoint_auth_methods_supported: secret_methods,
    introspection_endpoint_auth_signing_alg_values_supported: signing,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** `path`: of the MCP endpoint. Clients ask for all scopes listed here, so there are only those that they need at first. */
export function resourceMetadata(public_url: string, path: string, baseline_scopes: readonly string[] = []) {
  return {
    resource: `${public_url}${path}`,
    authorization_servers: [public_url],
    scopes_supported: ['mcp', ...baseline_scopes],
    bearer_methods_supported: ['header'],
    resource_name: 'toolgate',
  };
}
