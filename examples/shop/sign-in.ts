// How the shop tells toolgate who its user is: it signs an assertion, and exchanges it for a session token.

import { generateKeyPairSync } from 'node:crypto';
import { signMemberAssertion, Toolgate } from '../../sdk/src/index.ts';

export type SignIn = {
  base_url: string;
  project_id: string;
  /** A key created from an integration. */
  api_key: string;
  kid: string;
  /** PEM. It never leaves the shop: toolgate has the public half. */
  private_key: string;
};

/** Once, when the shop is set up. `toolgate` needs a key with `admin`. */
export async function registerSignIn(
  toolgate: Toolgate,
  { base_url, project_id }: Pick<SignIn, 'base_url' | 'project_id'>,
): Promise<SignIn> {
  const integration = await toolgate.integrations.create({ name: 'Shop assistant' });
  const { key } = await toolgate.integrations.apiKeys.create(integration.id, { name: 'Shop', permissions: ['read'] });

  const kid = 'shop-1';
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_key = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await toolgate.assertionKeys.create({ kid, algorithm: 'ES256', public_key });
  const private_key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { base_url, project_id, api_key: key, kid, private_key };
}

/** For a user who is signed in to the shop. The assertion is valid for 30 seconds. */
export function signAssertion({ private_key, kid, project_id }: SignIn, user_id: string): Promise<string> {
  return signMemberAssertion({
    privateKey: private_key,
    kid,
    algorithm: 'ES256',
    projectId: project_id,
    memberId: user_id,
  });
}

/** The token with which a model acts for this user, for 15 minutes. */
export async function sessionToken({ base_url, api_key }: SignIn, memberAssertion: string): Promise<string> {
  const toolgate = new Toolgate({ baseUrl: base_url, apiKey: api_key });
  return (await toolgate.memberSessions.create({ memberAssertion })).session_token;
}
