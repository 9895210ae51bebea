// toolgate export and apply keep what a project set of the tools of its MCP servers.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { mcpServersOf } from '../../server/test/support/make/make-mcp-server.ts';
import { issuerOf } from '../../server/test/support/make/make-server-sign-in.ts';
import { protect, startMcpAuthorizationServer } from '../../server/test/support/peers/mcp-authorization-server.ts';
import { echoTool, startMcpUpstream } from '../../server/test/support/peers/mcp-upstream.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient } from './run-toolgate.ts';

const upstream = await startMcpUpstream('modern');
const [authorization, other] = [await startMcpAuthorizationServer(), await startMcpAuthorizationServer()];
const peers = [upstream, authorization, other];
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: peers.map(({ address }) => address).join(',') });
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-mcp-'));
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(peers.map((peer) => peer.close()));
});

const set = {
  title: 'Send it',
  is_enabled: false,
  require_member: true,
  tags: ['admin', 'mail'],
  weight: 3,
  fixed_arguments: { text: 'fixed' },
  response: { drop: ['secret'] },
  confirm: { by: 'approver', remember_seconds: 0, fallback: 'refuse' },
  annotations: { readOnlyHint: false, destructiveHint: true },
};

test('a file has what the project set of a tool of an MCP server, and a second project gets the same', async () => {
  upstream.set([echoTool('send'), echoTool('other')]);
  const [source, target] = [await makeTenant(server), await makeTenant(server)];
  const servers = mcpServersOf(server, source);
  await servers.ready(upstream, {
    slug: 'mail',
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: 'token-of-the-server',
  });
  const change = { ...set, name: 'send_mail' };
  expectResponse(await server.api('PATCH', '/custom-tools/mail_send', { key: source.keys.write, body: change }), 200);
  const client = createClient(server.url, source.keys.admin);
  const file = join(folder, 'mail.yaml');
  await client.json(['export', file]);
  assert.deepEqual((await client.json(['apply', file, '--dry-run'])).changes, []);

  const content = parse(readFileSync(file, 'utf8'));
  content.mcp_servers[0].encrypted_auth_secret = '$' + '{TOOLGATE_SECRET_MAIL}';
  writeFileSync(file, stringify(content));
  const other = createClient(server.url, target.keys.admin, { TOOLGATE_SECRET_MAIL: 'token-of-the-server' });
  await other.json(['apply', file]);
  const made = await mcpServersOf(server, target).tool('send_mail');
  const wanted = await servers.tool('send_mail');
  for (const field of Object.keys(set)) assert.deepEqual(made[field], wanted[field], field);
  // Also with its secret, which the server compares.
  assert.deepEqual((await other.json(['apply', file])).changes, []);

  // What a file takes back is taken back; what it does not say stays.
  const [tools] = content.mcp_servers.map(({ approved }: any) => approved);
  const { upstream_name, name, hash } = tools.find((tool: any) => tool.upstream_name === 'send');
  content.mcp_servers[0].approved = [{ upstream_name, name, hash, confirm: null }];
  writeFileSync(file, stringify(content));
  assert.deepEqual((await other.json(['apply', file])).changes.length, 1);
  const { confirm, tags } = await mcpServersOf(server, target).tool('send_mail');
  assert.deepEqual([confirm, tags], [null, ['admin', 'mail']]);
  assert.deepEqual(
    (await other.json(['apply', file, '--dry-run'])).changes.map(({ action }: any) => action),
    ['compare'],
  );
});

test('apply enables a tool, new or changed, only together with the confirmation that the file says', async () => {
  const [source, target] = [await makeTenant(server), await makeTenant(server)];
  const [servers, wanted] = [mcpServersOf(server, source), mcpServersOf(server, target)];
  const client = createClient(server.url, source.keys.admin);
  const other = createClient(server.url, target.keys.admin);
  const file = join(folder, 'confirmed.yaml');
  const confirm = { by: 'approver', remember_seconds: 0, fallback: 'refuse' };
  /** Each state that the tool was in, in the order of its events. */
  const states = async () => {
    const { data } = expectResponse(
      await server.api('GET', `/projects/${target.id}/audit-log?limit=100`, { key: target.keys.admin }),
      200,
    );
    // An entry has only what changed.
    let state: any = {};
    return data
      .filter(({ target_id }: any) => target_id.startsWith('tool_'))
      .reverse()
      .map(({ after }: any) => {
        state = { ...state, ...after };
        return `${state.is_enabled ? 'enabled' : 'disabled'} ${state.confirm?.by ?? 'free'}`;
      });
  };
  upstream.set([echoTool('send')]);
  await servers.ready(upstream, { slug: 'mail' });
  const set = await server.api('PATCH', '/custom-tools/mail_send', { key: source.keys.write, body: { confirm } });
  expectResponse(set, 200);
  await client.json(['export', file]);
  await other.json(['apply', file]);
  assert.deepEqual([...new Set(await states())], ['disabled free', 'enabled approver']);

  // The server changes it, and the other project has no confirmation by now. The file says nothing about whether it is enabled.
  const { id } = await wanted.tool('mail_send');
  expectResponse(
    await server.api('PATCH', `/custom-tools/${id}`, { key: target.keys.admin, body: { confirm: null } }),
    200,
  );
  const before = (await states()).length;
  upstream.set([echoTool('send', { description: 'Sends to everybody' })]);
  const [mail] = expectResponse(await server.api('GET', servers.path, { key: source.keys.read }), 200).data;
  await servers.sync(mail.id);
  await servers.approve(mail.id);
  await client.json(['export', file]);
  const content = parse(readFileSync(file, 'utf8'));
  delete content.mcp_servers[0].approved[0].is_enabled;
  writeFileSync(file, stringify(content));
  await other.json(['apply', file]);
  assert.deepEqual([...new Set((await states()).slice(before))], ['disabled free', 'enabled approver']);
});

test('copies of a tool are in a file, can be named by a toolset, and are made again in another project', async () => {
  upstream.set([echoTool('send')]);
  const [source, target] = [await makeTenant(server), await makeTenant(server)];
  await mcpServersOf(server, source).ready(upstream, { slug: 'mail' });
  const post = (path: string, body: object) => server.api('POST', path, { key: source.keys.admin, body });
  for (const name of ['a_copy', 'z_copy']) {
    const { id } = expectResponse(await post('/custom-tools/mail_send/duplicate', { name }), 201);
    const body = { tags: [name.slice(0, 1)], fixed_arguments: { text: name }, is_enabled: name === 'z_copy' };
    expectResponse(await server.api('PATCH', `/custom-tools/${id}`, { key: source.keys.write, body }), 200);
    const toolset = { slug: name.slice(0, 1), name, tool_ids: [id] };
    expectResponse(await post(`/projects/${source.id}/toolsets`, toolset), 201);
  }
  const client = createClient(server.url, source.keys.admin);
  const other = createClient(server.url, target.keys.admin);
  const [file, again] = [join(folder, 'copies.yaml'), join(folder, 'again.yaml')];
  await client.json(['export', file]);
  assert.deepEqual((await client.json(['apply', file])).changes, []);
  await other.json(['apply', file]);
  await other.json(['export', again]);
  assert.equal(readFileSync(again, 'utf8'), readFileSync(file, 'utf8'));
  assert.deepEqual((await other.json(['apply', file])).changes, []);
  const { fixed_arguments, is_enabled } = await mcpServersOf(server, target).tool('z_copy');
  assert.deepEqual([fixed_arguments, is_enabled], [{ text: 'z_copy' }, true]);
});

test('a file that sets what the server decides, or lacks a hash, is refused before anything changes', async () => {
  const client = createClient(server.url, (await makeTenant(server)).keys.admin);
  const file = join(folder, 'wrong.yaml');
  const pinned = { upstream_name: 'send', name: 'send', hash: 'a'.repeat(64) };
  for (const [approved, words] of [
    [[{ ...pinned, input_schema: {} }], /input_schema cannot be set for send/],
    [[{ ...pinned, hash: undefined }], /must have upstream_name, name, hash/],
    ['all', /approved must be a list/],
  ] as const) {
    const entry = { slug: 'mail', name: 'Mail', url: upstream.url, approved };
    writeFileSync(file, stringify({ version: 1, mcp_servers: [entry] }));
    assert.match(await client.fails(['apply', file], 1), words);
  }
  assert.deepEqual(await client.json(['mcp-servers', 'list']), []);
});

test('a file has where members sign in, as it is pinned, and a second project has it approved', async () => {
  upstream.set([echoTool('send')]);
  protect(upstream, authorization);
  const [source, target] = [await makeTenant(server), await makeTenant(server)];
  const servers = mcpServersOf(server, source);
  await servers.ready(upstream, { slug: 'own', auth_strategy: 'member_oauth' });
  const client = createClient(server.url, source.keys.admin);
  const file = join(folder, 'issuer.yaml');
  await client.json(['export', file]);
  const content = parse(readFileSync(file, 'utf8'));
  assert.deepEqual(content.mcp_servers[0].pinned_issuer, issuerOf(authorization));
  assert.deepEqual((await client.json(['apply', file])).changes, []);

  // The same server names another one to the second project: what the file says counts.
  protect(upstream, other);
  const second = createClient(server.url, target.keys.admin);
  await second.json(['apply', file]);
  const [applied] = await second.json(['mcp-servers', 'list']);
  assert.deepEqual([applied.pinned_issuer, applied.found_issuer], [issuerOf(authorization), issuerOf(other)]);
  content.mcp_servers[0].pinned_issuer = issuerOf(other);
  writeFileSync(file, stringify(content));
  assert.deepEqual((await second.json(['apply', file])).changes.length, 1);
  assert.deepEqual((await second.json(['mcp-servers', 'get', applied.id])).pinned_issuer, issuerOf(other));

  for (const [change, words] of [
    [{ pinned_issuer: { issuer: other.issuer } }, /pinned_issuer must have issuer, authorization_endpoint/],
    [{ auth_config: { issuer: authorization.issuer } }, /must have the issuer of auth_config/],
  ] as const) {
    writeFileSync(file, stringify({ ...content, mcp_servers: [{ ...content.mcp_servers[0], ...change }] }));
    assert.match(await second.fails(['apply', file], 1), words);
  }
});

test('a secret of a client is said to go to the issuer, not to the MCP server', async () => {
  const { keys } = await makeTenant(server);
  const file = join(folder, 'client.yaml');
  const entry = {
    ...{ slug: 'own', name: 'Own', url: upstream.url, auth_strategy: 'member_oauth' },
    auth_config: { client_id: 'registered', issuer: authorization.issuer },
    encrypted_auth_secret: '$' + '{TOOLGATE_SECRET_OWN}',
  };
  writeFileSync(file, stringify({ version: 1, mcp_servers: [entry] }));
  const client = createClient(server.url, keys.admin, { TOOLGATE_SECRET_OWN: 'secret of client' });
  const { secrets } = await client.json(['apply', file, '--dry-run']);
  assert.deepEqual(
    secrets.map(({ host }: any) => host),
    [new URL(authorization.issuer).host],
  );
});
