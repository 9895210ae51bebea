// What may be used only once in a sign-in by OAuth: the code and the refresh token.

import { openBrowser, signIn } from '../server/test/browser.ts';
import { expectCount, type Race, type Running, sendAll } from './races.ts';
import type { Replica } from './replica.ts';
import { ROOT_KEY } from './stage.ts';
import { asRoot } from './tenant.ts';

const CALLBACK = 'https://app.example.com/callback';

type Redeemable = { code: string; client_id: string; client_secret: string };

/** Signs a member in. Returns the code that the client received. */
async function signInOnce({ stage, tenant: { project_id } }: Running): Promise<Redeemable> {
  const { openid, replicas } = stage;
  const project = `/projects/${project_id}`;
  await asRoot(stage, 'POST', `${project}/oauth-providers`, {
    body: { provider: 'oidc', issuer: openid.url, client_id: openid.client_id, client_secret: openid.client_secret },
  });
  const { client_id, client_secret } = await asRoot(stage, 'POST', `${project}/oauth-clients`, {
    body: { name: 'app', redirect_uris: [CALLBACK] },
  });
  const query = new URLSearchParams({ client_id, redirect_uri: CALLBACK, scope: 'mcp' });
  const browser = openBrowser(replicas[0] as Replica);
  const { location, text } = await signIn(browser, openid, `/api/v1/oauth/authorize?${query}`);
  const code = new URL(location ?? 'missing:').searchParams.get('code');
  if (code === null) throw new Error(`no code: ${location} ${text.slice(0, 500)}`);
  return { code, client_id, client_secret };
}

/** The token endpoint authenticates the client by the body, so the bearer is not looked at. */
const redeem = (running: Running, what: string, body: object) =>
  sendAll(running, what, () => ({ path: '/oauth/token', key: ROOT_KEY, body }));

const succeeded = (operations: Awaited<ReturnType<typeof redeem>>) =>
  operations.filter(({ outcome }) => outcome === 'done').length;

export const oauthRaces: readonly Race[] = [
  {
    what: 'the code of a sign-in',
    async run(running) {
      expectCount(running, succeeded(await redeem(running, this.what, await signInOnce(running))));
    },
  },
];
