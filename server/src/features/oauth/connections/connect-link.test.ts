// The state of a sign-in that connects an account: bound to its link and to one browser.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeMemberTenant, makeSession } from '../../../../test/support/make/make-members.ts';
import { connect, makeProvider } from '../../../../test/support/make/make-oauth.ts';
import { startOpenIdProvider } from '../../../../test/support/peers/openid-provider.ts';
import { startServer } from '../../../../test/support/servers/start-server.ts';
import { findProvider } from '../providers/find.ts';
import { connectState, createConnectLink, isConnectState, readConnectLink, readConnectState } from './connect-link.ts';
import { saveConnection } from './save.ts';

const openid = await startOpenIdProvider();
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: openid.address });
const { app } = server;
after(() => openid.close());

const invalid = { code: 'CONNECT_LINK_INVALID' };

async function linked() {
  const tenant = await makeMemberTenant(server);
  const made = await makeProvider(server, tenant.id, openid);
  const { member } = await makeSession(server, tenant);
  const provider = await findProvider(app, tenant.id, made.id);
  assert.ok(provider);
  const url = await createConnectLink(app, { project: { id: tenant.id } as never, member_id: member.id }, provider);
  const token = (url ?? '').slice((url ?? '').lastIndexOf('/') + 1);
  return { member, made, token, link: await readConnectLink(app, token) };
}

test('a state is accepted from the browser that it was made for, and from no other', async () => {
  const { member, token, link } = await linked();
  const state = await connectState(app, link, token, 'browser-1');
  assert.ok(isConnectState(state));
  assert.equal((await readConnectState(app, state, 'browser-1')).member_id, member.id);
  await assert.rejects(readConnectState(app, state, 'browser-2'), invalid);
  assert.notEqual(await connectState(app, link, token, 'browser-1'), state);
});

test('a state cannot be moved to another link, and a link is no state', async () => {
  const [one, two] = [await linked(), await linked()];
  const state = await connectState(app, one.link, one.token, 'browser');
  await assert.rejects(readConnectState(app, state.replace(one.token, two.token), 'browser'), invalid);
  for (const text of [one.token, '', 'random-state', `connect.${one.token}`]) {
    assert.equal(isConnectState(text), false, text);
    await assert.rejects(readConnectState(app, text, 'browser'), invalid);
  }
});

test('a link is used up once its connection is saved', async () => {
  const { member, made, link } = await linked();
  const { project_id, provider } = link;
  const { tokens } = await connect(server, openid, made, member.id);
  const again = {
    project_id,
    provider_id: provider.id,
    member_id: member.id,
    tokens,
    not_saved_since: link.created_at,
  };
  await assert.rejects(saveConnection(app, again), invalid);
});
