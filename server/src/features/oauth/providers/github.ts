// GitHub is no OpenID provider: its endpoints are known, and its API says who signed in. Also for a GitHub Enterprise Server,
// whose base URL is the issuer.

import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { AuthorizationServer } from 'oauth4webapi';
import { ProviderError } from '../../../openid/provider-error.ts';
import type { Fetch } from '../../../openid/upstream.ts';

export const GITHUB = 'https://github.com';

export function githubServer(issuer: string): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
}

const githubApi = (issuer: string) => (issuer === GITHUB ? 'https://api.github.com' : `${issuer}/api/v3`);

/** The account's number, which never changes or moves to another account, unlike its name. */
export async function githubIdentity(
  issuer: string,
  access_token: string,
  get: Fetch,
): Promise<{ subject: string; email: string | null; claims: MemberClaims }> {
  const read = async (path: string) => {
    const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${access_token}` };
    const response = await get(`${githubApi(issuer)}${path}`, { method: 'GET', headers });
    const value: unknown = await response.json().catch(() => null);
    return { status: response.status, value };
  };
  const { status, value } = await read('/user');
  const { id, login } = (value ?? {}) as { id?: unknown; login?: unknown };
  if (status !== 200 || !Number.isSafeInteger(id))
    throw new ProviderError(status >= 500 ? 'unreachable' : 'invalid', `GitHub's /user returned status ${status}`);
  const email = verifiedEmail((await read('/user/emails')).value);
  return { subject: String(id), email, claims: { login, ...(email === null ? {} : { email }) } };
}

/** Without the scope user:email the list cannot be read: then no email is known. */
function verifiedEmail(list: unknown): string | null {
  if (!Array.isArray(list)) return null;
  const primary = list.find((entry) => entry?.primary === true && entry.verified === true);
  return typeof primary?.email === 'string' ? primary.email : null;
}
