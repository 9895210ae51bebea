// One server, one project with the tools of the suite, one run for each revision; and one run against the authorization server.

import { after } from 'node:test';
import { openBrowser, signIn } from '../support/browser.ts';
import { makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';
import { makeConformanceTools } from './conformance-tools.ts';
import { notApplicable, type Revision, revisions } from './not-applicable.ts';
import { type Run, runAuthorizationScenarios, runConformance } from './run-conformance.ts';

export async function runAllRevisions(): Promise<Map<Revision, Run>> {
  const customer = await startCustomer();
  after(() => customer.close());
  const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
  const { id, keys } = await makeTenant(server);
  await makeConformanceTools(server, keys.admin, customer);
  const { session } = await makeMemberSessions(server, id);
  const runs = new Map<Revision, Run>();
  for (const revision of revisions) {
    const expected = notApplicable.flatMap((group) => group[revision]);
    // Of a member: only a member is asked by a form.
    runs.set(revision, await runConformance(server.url, await session('person'), revision, expected));
  }
  return runs;
}

/** The suite takes the part of a public client. It sends no secret to a server that also has public clients. */
export async function runAuthorization(): Promise<Run> {
  const peer = await startOpenIdProvider();
  after(() => peer.close());
  const server = await startOAuthServer([peer]);
  const port = await freePort();
  const { id, client } = await makeOAuthTenant(server, peer, {
    client: { redirect_uris: [`http://127.0.0.1:${port}/callback`], is_public: true },
  });
  const args = ['--url', server.app.config.public_url, '--client-id', client.client_id, '--port', String(port)];
  return runAuthorizationScenarios([...args, '--resource', `${server.url}/api/v1/mcp/${id}`], async (url) => {
    const { location, text } = await signIn(openBrowser(server), peer, url);
    if (location === null) throw new Error(text);
    await fetch(location);
  });
}
