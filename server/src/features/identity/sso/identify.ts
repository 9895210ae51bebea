// The second half of a sign-in at the identity provider, step by step: what came back, the tokens, who it is. A sign-in and a test go
// the same way.

import type { SsoTestStepName } from '@toolgate/contract/organizations/sso-rules.ts';
import type { Role } from '@toolgate/contract/roles.ts';
import type { App } from '../../../app.ts';
import type { SsoIdentity, TestedSso } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import {
  readCallback,
  readUserInfo,
  requestTokens,
  type SignInRequest,
  type VerifiedTokens,
  verifyTokens,
} from '../../../openid/code-flow.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import type { Upstream } from '../../../openid/upstream.ts';
import { readEmail, readName, readRole } from './identity.ts';
import { findServer, openProvider, type SsoProvider } from './provider.ts';

/** Runs one step. `found` is what a test shows of its result. */
export type RunStep = <T>(
  step: SsoTestStepName,
  work: () => Promise<T> | T,
  found?: (value: T) => string | null,
) => Promise<T>;

/** In a sign-in a step is only what it does. */
export const runOnly: RunStep = async (_step, work) => work();

type Rules = Pick<TestedSso, 'domains' | 'role_claim' | 'role_map' | 'default_role'>;

/** `role` is null for a person who has none. */
export type Identified = Omit<SsoIdentity, 'role'> & { role: Role | null };

type ProviderResponse = { callback: URLSearchParams; request: SignInRequest; secret: string };

/** Rejects with a ProviderError, or with the refusal of the email address. Do not hold a database permit. */
export async function identify(
  app: App,
  provider: SsoProvider & Rules,
  { callback, request, secret }: ProviderResponse,
  run: RunStep,
): Promise<Identified> {
  const { issuer } = provider;
  const upstream = await run('sign_in', async () =>
    openProvider(app, provider, { server: await findServer(app, provider), secret }),
  );
  const parameters = await run('sign_in', () => readCallback(upstream, callback, request.state));
  const tokens = await run('token', () => exchange(upstream, parameters, request));
  const verified = await run(
    'id_token',
    () => {
      if (tokens instanceof ProviderError) throw tokens;
      return tokens;
    },
    ({ claims }) => `sub ${claims.sub}`,
  );
  const claims = await readClaims(upstream, verified, provider.role_claim);
  const email = await run(
    'email',
    () => requireEmail(claims.of_email, provider.domains),
    (found) => found,
  );
  const name = readName(claims.of_email, email);
  const role = readRole(claims.of_role, provider);
  return { issuer, subject: verified.claims.sub, email, name, role };
}

/** Returns what is wrong with a response that came, but has no ID token for this sign-in: that is the next step. */
async function exchange(
  upstream: Upstream,
  parameters: URLSearchParams,
  request: SignInRequest,
): Promise<VerifiedTokens | ProviderError> {
  try {
    return await verifyTokens(upstream, await requestTokens(upstream, parameters, request), request);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'invalid') return error;
    throw error;
  }
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Some providers leave claims out of the ID token, and give them at the userinfo endpoint. An address and whether it is verified
 * come from one place.
 */
async function readClaims(
  upstream: Upstream,
  verified: VerifiedTokens,
  role_claim: string,
): Promise<{ of_email: Claims; of_role: Claims }> {
  const { claims } = verified;
  const [has_email, has_role] = [claims.email !== undefined, Object.hasOwn(claims, role_claim)];
  const info = has_email && has_role ? null : await readUserInfo(upstream, verified);
  return { of_email: has_email ? claims : (info ?? {}), of_role: has_role ? claims : (info ?? {}) };
}

function requireEmail(claims: Claims, domains: readonly string[]): string {
  const read = readEmail(claims, domains);
  if ('email' in read) return read.email;
  throw refuse.ssoEmailRefused({ details: { reason: read.problem } });
}
