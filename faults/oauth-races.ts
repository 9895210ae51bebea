// What may be used only once in a sign-in by OAuth: the code and the refresh token.

import { openBrowser, signIn } from '../server/test/support/browser.ts';
import type { Operation } from './ledger.ts';
import { expectCount, type Race, type Running, sendAll } from './races.ts';
import type { Replica } from './replica.ts';
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

const redeem = (running: Running, what: string, body: object) =>
  sendAll(running, what, () => ({ path: '/oauth/token', body }));

const tokensOf = (operations: Operation[]) =>
  operations.filter(({ outcome }) => outcome === 'done').map(({ body }) => body as Tokens);

type Tokens = { access_token: string; refresh_token: string };

const redeemOnce = (running: Running, body: object) =>
  sendAll(running, 'a token', () => ({ path: '/oauth/token', body }), 1);

async function expectRefused({ stage, client, ledger }: Running, tokens: Tokens[]): Promise<void> {
  for (const { access_token } of tokens) {
    const { status } = await client.send(stage.replicas[0] as Replica, { path: '/projects', key: access_token });
    if (status !== 401 && status !== 429) ledger.wrongly_accepted += 1;
  }
}

export const oauthRaces: readonly Race[] = [
  {
    what: 'the code of a sign-in',
    async run(running) {
      const tokens = tokensOf(await redeem(running, this.what, await signInOnce(running)));
      expectCount(running, tokens.length);
      // The others used the code again, which revokes what it was exchanged for.
      await expectRefused(running, tokens);
    },
  },
  {
    what: 'a refresh token',
    async run(running) {
      const { code, ...client } = await signInOnce(running);
      const [first] = tokensOf([...(await redeemOnce(running, { code, ...client }))]);
      if (!first) throw new Error('the code was not exchanged');
      const { refresh_token } = first;
      const tokens = tokensOf(await redeem(running, this.what, { refresh_token, ...client }));
      // Until a new token is used, the old one may be used again: its answer may have been lost. All of them together are one
      // family with one current refresh token.
      const current = await Promise.all(
        [...new Set(tokens.map((each) => each.refresh_token))].map((token) =>
          redeemOnce(running, { refresh_token: token, ...client }),
        ),
      );
      expectCount(running, Math.min(1, tokens.length));
      if (tokensOf(current.flat()).length > 1) running.ledger.duplicated += tokensOf(current.flat()).length - 1;
    },
  },
];
