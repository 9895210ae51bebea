// The SDK against a real server: what it signs is accepted, and what the server signs is verified.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { makeTenant, unique } from '../../server/test/support/make/make.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import {
  AuthenticationError,
  ConfirmationRequiredError,
  ConflictError,
  NotFoundError,
  PermissionError,
  SignatureError,
  sealSecret,
  signMemberAssertion,
  Toolgate,
  type ToolgateOptions,
  UpstreamError,
  ValidationError,
  verifyToolRequest,
  verifyWebhook,
} from '../src/index.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: new URL(customer.url).host });
const tenant = await makeTenant(server);

const client = (options: Partial<ToolgateOptions> = {}) =>
  new Toolgate({ apiKey: tenant.keys.admin, baseUrl: server.url, projectId: tenant.id, ...options });
const toolFields = () => ({ name: unique('tool'), base_url: customer.url, endpoint_path: `/${unique('path')}` });

test('a file is uploaded from bytes, a Blob and a stream, and downloaded whole and in part', async () => {
  const { files } = client();
  const bytes = Buffer.alloc(600_000, 'tea');
  const named = { name: 'report.pdf', contentType: 'application/pdf' };
  const contents = [bytes, new File([bytes], 'report.pdf', { type: 'application/pdf' }), new Blob([bytes]).stream()];
  for (const content of contents) {
    const file = await files.upload(content, content instanceof Blob ? {} : named);
    assert.deepEqual([file.name, file.content_type, file.size], ['report.pdf', 'application/pdf', bytes.length]);
    assert.ok(Buffer.from(await (await files.content(file.id)).arrayBuffer()).equals(bytes));
    assert.equal(await (await files.content(file.id, { range: 'bytes=3-8' })).text(), 'teatea');
    await files.delete(file.id);
    await assert.rejects(files.content(file.id), NotFoundError);
  }
});

test('a resource is created, listed, read, changed and deleted', async () => {
  const { integrations } = client();
  const made = await integrations.create({ name: 'Shop' });
  assert.equal((await integrations.get(made.id)).name, 'Shop');
  assert.equal((await integrations.update(made.id, { description: 'x' })).description, 'x');
  assert.ok((await integrations.list()).data.some(({ id }) => id === made.id));
  const key = await integrations.apiKeys.create(made.id, { name: 'of the shop', permissions: ['read'] });
  assert.deepEqual(
    (await integrations.apiKeys.list(made.id)).data.map(({ id }) => id),
    [key.id],
  );
  assert.equal(await integrations.delete(made.id), undefined);
  await assert.rejects(integrations.get(made.id), NotFoundError);
});

test('the root key manages projects, and works on the project of projectId', async () => {
  const root = client({ apiKey: ROOT_KEY });
  const project = await root.projects.create({ name: unique('project') });
  assert.equal(
    (await root.projects.settings.update(project.id, { mcp_instructions: 'hello' })).mcp_instructions,
    'hello',
  );
  assert.equal((await root.projects.settings.get(project.id)).mcp_instructions, 'hello');
  await root.projects.delete(project.id);
  assert.equal((await root.customTools.create(toolFields())).project_id, tenant.id);
});

test('refusals of the server have their classes', async () => {
  const { customTools, integrations } = client();
  const { name } = await customTools.create(toolFields());
  customer.respond('/broken', { status: 500 });
  const broken = await customTools.create({ ...toolFields(), endpoint_path: '/broken' });
  const wrong = `${tenant.keys.admin.slice(0, -1)}_`;
  await assert.rejects(client({ apiKey: wrong }).integrations.list(), AuthenticationError);
  await assert.rejects(client({ apiKey: tenant.keys.read }).integrations.create({ name: 'x' }), PermissionError);
  await assert.rejects(customTools.create({ ...toolFields(), name }), ConflictError);
  await assert.rejects(customTools.execute(broken.name), UpstreamError);
  await assert.rejects(integrations.create({ name: 'x', nonsense: true } as any), (error: any) => {
    assert.ok(error instanceof ValidationError);
    return error.details.field === 'nonsense' && /^req_/.test(`${error.requestId}`);
  });
});

test('a key whose answer was lost is created once, and its text is not lost', async () => {
  let lost = 0;
  const losing = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (init.method !== 'POST' || lost > 0) return response;
    lost += 1;
    throw new TypeError('fetch failed');
  };
  const { apiKeys } = client({ fetch: losing });
  const made = await apiKeys.create({ name: unique('key'), permissions: ['read'] });
  assert.equal(lost, 1);
  const same = (await apiKeys.list({ limit: 100 })).data.filter(({ name }) => name === made.name);
  assert.deepEqual(
    same.map(({ id }) => id),
    [made.id],
  );
  await client({ apiKey: made.key }).integrations.list();
});

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: generateKeyPairSync('ed25519'),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

test('a member signs in with an assertion of each algorithm, and is found, signed out and deleted', async () => {
  const { assertionKeys, integrations, members } = client();
  const { id } = await integrations.create({ name: unique('app') });
  const { key } = await integrations.apiKeys.create(id, { name: 'app', permissions: ['read'] });
  for (const [algorithm, pair] of Object.entries(pairs) as [keyof typeof pairs, (typeof pairs)['ES256']][]) {
    const public_key = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const kid = unique('kid');
    const registered = await assertionKeys.create({ kid, algorithm, public_key });
    const memberId = `Zoë ${algorithm}`;
    const memberAssertion = await signMemberAssertion({ privateKey, kid, algorithm, projectId: tenant.id, memberId });
    const report = await assertionKeys.debug({ member_assertion: memberAssertion });
    assert.deepEqual(report.is_valid, true, JSON.stringify(report));
    const session = await client({ apiKey: key }).memberSessions.create({ memberAssertion });
    assert.equal((await members.get(session.member.id)).external_id, memberId);
    assert.deepEqual(
      (await members.list({ external_id: memberId })).data.map((each) => each.id),
      [session.member.id],
    );
    await members.revokeSessions(session.member.id);
    await assert.rejects(client({ apiKey: session.session_token }).customTools.execute('x'), AuthenticationError);
    await members.delete(session.member.id);
    await assert.rejects(members.delete(session.member.id), NotFoundError);
    await assertionKeys.deactivate(registered.id);
    await assertionKeys.delete(registered.id);
  }
});

test('the server opens a sealed secret, and verifyToolRequest accepts the requests that it signs with it', async () => {
  const { customTools } = client();
  const secret = 'sealed ü 🗝';
  const { jwk } = await customTools.encryptionKey();
  const encrypted_auth_secret = await sealSecret({ publicKey: jwk, secret });
  assert.notEqual(await sealSecret({ publicKey: jwk, secret }), encrypted_auth_secret);
  const path = `/${unique('signed')}`;
  customer.respond(path, { body: { ok: true } });
  const tool = await customTools.create({
    ...toolFields(),
    endpoint_path: `${path}?b=2`,
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret,
  });
  const result = await customTools.execute(tool.id, { q: "Zürich 'x'" });
  assert.deepEqual([result.status, result.body], [200, { ok: true }]);
  const request = customer.requests.find((each) => each.path === path);
  assert.ok(request);
  const { method, headers, body } = request;
  const received = { secret, method, url: `${path}?${request.query}`, headers, body };
  const context = await verifyToolRequest(received);
  assert.deepEqual(context, { projectId: tenant.id, integrationId: null, memberId: null, requestId: result.call_id });
  await assert.rejects(verifyToolRequest({ ...received, secret: 'another' }), SignatureError);

  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === 'string'));
  const { lines } = await customTools.verifySignature(tool.name, { headers: given as any, body: body.toString() });
  const expected = lines.map(({ ours }) => ours).join('\n');
  await assert.rejects(verifyToolRequest({ ...received, url: `${path}/?${request.query}`, expected }), (error: any) => {
    return error.firstDifference.line === 6 && error.firstDifference.expected === path;
  });
});

test('a tool call is in the log, in the stream and in the numbers', async () => {
  const { analytics, customTools, projects, toolCalls } = client();
  const tool = await customTools.create(toolFields());
  customer.respond(String(tool.endpoint_path), { body: {} });
  const signal = AbortSignal.timeout(60_000);
  const stream = toolCalls.stream({ tool_id: tool.id }, { signal });
  const first = stream.next();
  const called = new Set<string>();
  // The stream begins with now, and now is when it is open: calls until the first one comes.
  let arrived: Awaited<typeof first> | undefined;
  while (!arrived) {
    called.add((await customTools.execute(tool.name)).call_id);
    arrived = await Promise.race([first, new Promise<undefined>((done) => setTimeout(() => done(undefined), 200))]);
  }
  assert.ok(called.has(arrived.value?.id));
  await stream.return(undefined);
  const listed = await toolCalls.list({ tool_id: tool.id, outcome: 'succeeded', limit: 1 });
  assert.equal(listed.data[0]?.tool_name, tool.name);
  assert.equal((await toolCalls.get(`${arrived.value?.id}`)).id, arrived.value?.id);
  assert.equal((await analytics.get({ interval: 'hour' })).object, 'analytics');
  assert.equal((await projects.usage.get(tenant.id)).object, 'usage');
});

test('OAuth providers and clients are created, changed and deleted', async () => {
  const { integrations, oauthClients, oauthProviders } = client();
  const { id: integration_id } = await integrations.create({ name: unique('app') });
  const provider = await oauthProviders.create({
    provider: 'github',
    client_id: 'Iv1',
    client_secret: unique('secret'),
  });
  assert.equal((await oauthProviders.update(provider.id, { is_enabled: false })).is_enabled, false);
  await oauthProviders.delete(provider.id);
  const redirect_uris = ['https://app.example/callback'];
  const made = await oauthClients.create({ name: unique('web'), redirect_uris, integration_id });
  const rotated = await oauthClients.rotateSecret(made.id);
  assert.ok(made.client_secret && rotated.client_secret && made.client_secret !== rotated.client_secret);
  await oauthClients.delete(made.id);
  await assert.rejects(oauthClients.get(made.id), NotFoundError);
});

test('verifyWebhook accepts a real delivery, with either secret after a rotation', async () => {
  const { webhooks, integrations } = client();
  const path = `/${unique('hook')}`;
  const hook = await webhooks.create({ url: `${customer.url}${path}`, events: ['integration.created'] });
  const { secret } = await webhooks.rotateSecret(hook.id);
  const { id } = await integrations.create({ name: unique('app') });
  await server.runJobs();
  const delivery = customer.requests.find((each) => each.path === path);
  assert.ok(delivery);
  for (const each of [hook.secret, secret]) {
    const event = await verifyWebhook({ secret: each, headers: delivery.headers, body: delivery.body });
    assert.ok(event.type === 'integration.created' && event.data.id === id);
  }
  const trial = await webhooks.sendTestEvent(hook.id, { type: 'project.updated' });
  assert.deepEqual([trial.event_type, trial.is_test], ['project.updated', true]);
  const changed = await webhooks.update(hook.id, { headers: { 'X-Key': 'a-value' } });
  assert.deepEqual(changed.header_names, ['X-Key']);
  const [sent] = (await webhooks.deliveries.list(hook.id, { event_type: 'integration.created' })).data;
  assert.ok(sent);
  assert.equal((await webhooks.deliveries.get(hook.id, sent.id)).id, sent.id);
  assert.equal((await webhooks.deliveries.redeliver(hook.id, sent.id)).id, sent.id);
});

test('a call that a person has to confirm says which approval it waits for, and passes once with its id', async () => {
  const { customTools, approvals } = client();
  const tool = await customTools.create({ ...toolFields(), confirm: { by: 'approver' } });
  const agent = client({ apiKey: tenant.keys.read });
  const call = (approvalId?: string) => agent.customTools.execute(tool.id, { amount: 120 }, { approvalId });
  const refusal: unknown = await call().catch((error: unknown) => error);
  assert.ok(refusal instanceof ConfirmationRequiredError && refusal instanceof ConflictError);
  const { id, status, tool_name } = refusal.approval;
  assert.deepEqual([status, tool_name], ['pending', tool.name]);
  await approvals.approve(id);
  assert.equal((await call(id)).status, 200);
  await assert.rejects(call(id), ConfirmationRequiredError);
  assert.equal(customer.at(tool.endpoint_path ?? '').length, 1);
});
