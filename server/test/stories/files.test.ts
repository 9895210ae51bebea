// Files over HTTP: upload, read, download, delete, and links. Who sees them, and what their bytes may do in a browser.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();

type Upload = {
  key: string;
  name?: string;
  type?: string;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
};

async function upload(project_id: string, { key, name, type = 'application/pdf', body = '%PDF-1.7', headers }: Upload) {
  const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
  return server.api('POST', `/projects/${project_id}/files${query}`, {
    key,
    body,
    headers: { 'content-type': type, ...headers },
  });
}

/** A link names the public URL of the server. */
const followLink = (url: string, init?: RequestInit) =>
  fetch(server.url + url.slice(server.app.config.public_url.length), init);

async function makeMembers() {
  const { id, keys } = await makeTenant(server);
  const { session } = await makeMemberSessions(server, id);
  return { id, keys, ada: await session('ada'), bob: await session('bob') };
}

test('a file is read, downloaded and deleted by the key that uploaded it', async () => {
  const { id, keys } = await makeTenant(server);
  const body = randomBytes(700_000);
  const file = expectResponse(await upload(id, { key: keys.read, name: 'Q1 report.pdf', body }), 201);
  const { url, url_expires_at, created_at, expires_at, ...rest } = file;
  assert.deepEqual(rest, {
    object: 'file',
    id: file.id,
    name: 'Q1 report.pdf',
    content_type: 'application/pdf',
    size: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
  });
  assert.ok(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - 3_600_000) < 60_000);
  assert.ok(Math.abs(Date.parse(url_expires_at) - Date.parse(created_at) - 900_000) < 60_000);
  const path = `/projects/${id}/files/${file.id}`;
  const {
    url: _url,
    url_expires_at: _until,
    ...again
  } = expectResponse(await server.api('GET', path, { key: keys.read }), 200);
  assert.deepEqual(again, { ...rest, created_at, expires_at });
  const response = await fetch(`${server.url}/api/v1${path}/content`, {
    headers: { authorization: `Bearer ${keys.read}` },
  });
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(body));
  assert.ok(Buffer.from(await (await followLink(url)).arrayBuffer()).equals(body));
  expectResponse(await server.api('DELETE', path, { key: keys.read }), 204);
  expectResponse(await server.api('GET', path, { key: keys.read }), 404);
  expectResponse(await server.api('DELETE', path, { key: keys.read }), 404);
  assert.equal((await followLink(url)).status, 404);
});

test('a file exists only for whoever uploaded it, and for keys with admin', async () => {
  const { id, keys, ada, bob } = await makeMembers();
  const other = await makeTenant(server);
  const files = [
    { owner: ada, id: expectResponse(await upload(id, { key: ada }), 201).id },
    { owner: bob, id: expectResponse(await upload(id, { key: bob }), 201).id },
    { owner: keys.read, id: expectResponse(await upload(id, { key: keys.read }), 201).id },
  ];
  for (const file of files)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/content'],
      ['DELETE', ''],
    ] as const) {
      const ask = (key: string, project = id) =>
        server.api(method, `/projects/${project}/files/${file.id}${path}`, { key });
      for (const stranger of [ada, bob, keys.read, keys.write, keys.webhook])
        if (stranger !== file.owner) expectResponse(await ask(stranger), 404);
      expectResponse(await ask(other.keys.admin, other.id), 404);
      expectResponse(await ask(other.keys.admin), 401);
      expectResponse(await ask(ROOT_KEY), 403);
      if (method === 'GET') for (const key of [file.owner, keys.admin]) expectResponse(await ask(key), 200);
    }
  expectResponse(await server.api('DELETE', `/projects/${id}/files/${files[0]?.id}`, { key: keys.admin }), 204);
  expectResponse(await server.api('GET', `/projects/${id}/files/${files[0]?.id}`, { key: ada }), 404);
});

test('no bytes run in a browser: HTML and SVG are attachments in a sandbox, by their link and with a credential', async () => {
  const { id, keys } = await makeTenant(server);
  for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript']) {
    const file = expectResponse(
      await upload(id, { key: keys.read, name: 'a".html', type, body: '<script>1</script>' }),
      201,
    );
    const content = `${server.url}/api/v1/projects/${id}/files/${file.id}/content`;
    for (const { status, headers } of [
      await followLink(file.url),
      await followLink(file.url, { headers: { range: 'bytes=0-3' } }),
      await fetch(content, { headers: { authorization: `Bearer ${keys.read}` } }),
    ]) {
      assert.ok(status === 200 || status === 206);
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('content-disposition'), `attachment; filename="a_.html"; filename*=UTF-8''a%22.html`);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
      assert.equal(headers.get('cache-control'), 'private, no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
  }
});

test('a link works for 15 minutes, and a forged one or that of another file never', async () => {
  const { id, keys } = await makeTenant(server);
  const [one, other] = [
    expectResponse(await upload(id, { key: keys.read, name: '報告'.repeat(33) }), 201),
    expectResponse(await upload(id, { key: keys.read }), 201),
  ];
  const statusOf = async (url: string) => (await followLink(url)).status;
  assert.equal(await statusOf(one.url), 200);
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';
  const token = tokenOf(one.url);
  const [expires = '', mac = ''] = token.split('.');
  const forged = [
    one.url.replace(token, tokenOf(other.url)),
    one.url.replace(token, `${Number(expires) + 1}.${mac}`),
    one.url.replace(token, `${expires}.${'A'.repeat(43)}`),
    one.url.replace(token, ''),
    one.url.replace(`token=${token}`, `token=${token}&token=${token}`),
    one.url.replace('?token=', '?t='),
    one.url.replace(one.id, `fil_${'0'.repeat(22)}`),
    one.url.replace(one.id, 'x'),
  ];
  for (const url of forged) assert.equal(await statusOf(url), 404, url);
  server.advance(15 * 60_000);
  assert.equal(await statusOf(one.url), 404);
  const { url } = expectResponse(await server.api('GET', `/projects/${id}/files/${one.id}`, { key: keys.read }), 200);
  assert.equal(await statusOf(url), 200);
});

test('an expired file is unreadable from that moment on, also by a link, and its rows are removed', async () => {
  const { id, keys } = await makeTenant(server);
  expectResponse(
    await server.api('PATCH', `/projects/${id}/settings`, { key: keys.admin, body: { file_retention_seconds: 300 } }),
    200,
  );
  const file = expectResponse(await upload(id, { key: keys.read }), 201);
  server.advance(299_000);
  const { url } = expectResponse(await server.api('GET', `/projects/${id}/files/${file.id}`, { key: keys.read }), 200);
  server.advance(1_100);
  expectResponse(await server.api('GET', `/projects/${id}/files/${file.id}`, { key: keys.read }), 404);
  expectResponse(await server.api('GET', `/projects/${id}/files/${file.id}/content`, { key: keys.admin }), 404);
  assert.equal((await followLink(url)).status, 404);
  server.advance(600_000);
  await server.runJobs();
  const { database } = server.app;
  assert.deepEqual(await database.selectFrom('files').select('id').where('project_id', '=', id).execute(), []);
  assert.deepEqual(
    await database.selectFrom('file_parts').select('file_id').where('project_id', '=', id).execute(),
    [],
  );
});

test('file_retention_seconds is 0 or from 300 to 86400, and with 0 nothing can be uploaded', async () => {
  const { id, keys } = await makeTenant(server);
  const set = (file_retention_seconds: unknown) =>
    server.api('PATCH', `/projects/${id}/settings`, { key: keys.admin, body: { file_retention_seconds } });
  for (const wrong of [-1, 1, 299, 86_401, 300.5, '300', null]) {
    const { error } = expectResponse(await set(wrong), 422);
    assert.equal(error.details.field, 'file_retention_seconds');
  }
  for (const right of [300, 86_400]) assert.equal(expectResponse(await set(right), 200).file_retention_seconds, right);
  const kept = expectResponse(await upload(id, { key: keys.read }), 201);
  assert.ok(Date.parse(kept.expires_at) - Date.parse(kept.created_at) > 86_300_000);
  expectResponse(await set(0), 200);
  assert.equal(expectResponse(await upload(id, { key: keys.read }), 409).error.code, 'FILES_NOT_STORED');
});

test('a file of 25 MB is stored; one of more is refused with 413, also to a client that goes on sending', async () => {
  const { id, keys } = await makeTenant(server);
  const largest = expectResponse(await upload(id, { key: keys.read, body: Buffer.alloc(MAX_FILE_BYTES) }), 201);
  assert.equal(largest.size, MAX_FILE_BYTES);
  const announced = await upload(id, { key: keys.read, body: Buffer.alloc(MAX_FILE_BYTES + 1) });
  assert.equal(expectResponse(announced, 413).error.code, 'BODY_TOO_LARGE');
  let left = 120;
  const endless = new ReadableStream({
    pull(controller) {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(new Uint8Array(250_000));
    },
  });
  const response = await fetch(`${server.url}/api/v1/projects/${id}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.read}`, 'content-type': 'application/pdf' },
    body: endless,
    duplex: 'half',
  } as RequestInit);
  assert.equal(response.status, 413);
  const stored = await server.app.database.selectFrom('files').select('id').where('project_id', '=', id).execute();
  assert.deepEqual(stored, [{ id: largest.id }]);
});

test('a file may be empty, and needs neither a name nor a media type', async () => {
  const { id, keys } = await makeTenant(server);
  const file = expectResponse(await upload(id, { key: keys.read, body: '' }), 201);
  assert.deepEqual([file.size, file.name, file.content_type], [0, 'file', 'application/pdf']);
  assert.equal(await (await followLink(file.url)).text(), '');
  const odd = expectResponse(await upload(id, { key: keys.read, type: 'no media type' }), 201);
  assert.equal(odd.content_type, 'application/octet-stream');
  assert.equal((await followLink(odd.url)).headers.get('content-type'), 'application/octet-stream');
});

test('hostile names become safe ones', async () => {
  const { id, keys } = await makeTenant(server);
  const names: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['..', 'file'],
    ['a\u0000b\r\nc.pdf', 'abc.pdf'],
    ['gpj\u202efdp.exe', 'gpjfdp.exe'],
    ['\u200b\u2066.htaccess. ', 'htaccess'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(196)}.pdf`],
    ['😀'.repeat(100), '😀'.repeat(50)],
  ];
  for (const [given, expected] of names) {
    const query = given.includes('\u0000') ? given.replace('\u0000', '\u0001') : given;
    assert.equal(expectResponse(await upload(id, { key: keys.read, name: query }), 201).name, expected);
  }
  expectResponse(await upload(id, { key: keys.read, name: 'x'.repeat(1_025) }), 422);
  expectResponse(await upload(id, { key: keys.read, name: '' }), 422);
});

test('a range of the bytes is sent as 206, an impossible one refused with 416, and any other ignored', async () => {
  const { id, keys } = await makeTenant(server);
  const body = randomBytes(600_000);
  const { url } = expectResponse(await upload(id, { key: keys.read, body }), 201);
  const read = async (range: string, headers = {}) => {
    const response = await followLink(url, { headers: { range, ...headers } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const part = await read('bytes=262143-524289');
  assert.equal(part.response.status, 206);
  assert.equal(part.response.headers.get('content-range'), 'bytes 262143-524289/600000');
  assert.equal(part.response.headers.get('content-length'), String(524_290 - 262_143));
  assert.ok(part.bytes.equals(body.subarray(262_143, 524_290)));
  assert.ok((await read('bytes=-10')).bytes.equals(body.subarray(-10)));
  const outside = await read('bytes=600000-');
  assert.equal(outside.response.status, 416);
  assert.equal(outside.response.headers.get('content-range'), 'bytes */600000');
  for (const whole of [await read('bytes=0-1,3-4'), await read('bytes=0-1', { 'if-range': '"x"' })]) {
    assert.equal(whole.response.status, 200);
    assert.ok(whole.bytes.equals(body));
  }
});

test('a repeated upload with the same Idempotency-Key stores one file, and another body is refused', async () => {
  const { id, keys } = await makeTenant(server);
  const headers = { 'idempotency-key': 'one' };
  const first = expectResponse(await upload(id, { key: keys.read, headers }), 201);
  const second = await upload(id, { key: keys.read, headers });
  assert.deepEqual(expectResponse(second, 201), first);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  expectResponse(await upload(id, { key: keys.read, headers, body: 'other' }), 422);
  expectResponse(await upload(id, { key: keys.read, headers, type: 'text/plain' }), 422);
  const { database } = server.app;
  const rows = await database.selectFrom('files').select('id').where('project_id', '=', id).execute();
  assert.deepEqual(rows, [{ id: first.id }]);
  const usage = await database.selectFrom('files').select('fairness_key').where('id', '=', first.id).executeTakeFirst();
  const { bytes } = await database
    .selectFrom('file_usage')
    .select('bytes')
    .where('subject', '=', usage?.fairness_key ?? '')
    .executeTakeFirstOrThrow();
  assert.equal(bytes, first.size);
});

test('an upload is not ended by the time that other requests have', async () => {
  const { id } = await makeProject(server);
  const { key } = await makeKey(server, id, ['write']);
  const { requestTimeout, headersTimeout } = server.http;
  Object.assign(server.http, { requestTimeout: 1_000, headersTimeout: 1_000 });
  try {
    const begin = (path: string, type: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': '12' };
      const sent = request(`${server.url}/api/v1${path}`, { method: 'POST', headers, agent: false });
      sent.write('{"name":');
      return { sent, response: once(sent, 'response') as Promise<[IncomingMessage]> };
    };
    const upload = begin(`/projects/${id}/files`, 'text/plain');
    const [other] = await begin(`/projects/${id}/toolsets`, 'application/json').response;
    assert.equal(other.statusCode, 408);
    upload.sent.end('"a"}');
    const [response] = await upload.response;
    assert.equal(response.statusCode, 201);
    for (const each of [other, response]) each.destroy();
  } finally {
    Object.assign(server.http, { requestTimeout, headersTimeout });
  }
});

test('when a member is deleted so are their files', async () => {
  const { id, keys, ada } = await makeMembers();
  const file = expectResponse(await upload(id, { key: ada }), 201);
  const members = expectResponse(await server.api('GET', '/members', { key: keys.admin }), 200).data;
  const member = members.find(({ external_id }: { external_id: string }) => external_id === 'ada');
  expectResponse(await server.api('DELETE', `/members/${member.id}`, { key: keys.admin }), 204);
  expectResponse(await server.api('GET', `/projects/${id}/files/${file.id}`, { key: keys.admin }), 404);
  assert.equal((await followLink(file.url)).status, 404);
  const { database } = server.app;
  assert.deepEqual(
    await database.selectFrom('file_parts').select('file_id').where('project_id', '=', id).execute(),
    [],
  );
  assert.deepEqual(
    await database.selectFrom('file_usage').select('bytes').where('subject', '=', member.id).execute(),
    [],
  );
});

test('when a project is deleted, no link of its files works', async () => {
  const { id, keys } = await makeTenant(server);
  const file = expectResponse(await upload(id, { key: keys.read }), 201);
  expectResponse(await server.api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  assert.equal((await followLink(file.url)).status, 404);
  assert.equal((await upload(id, { key: keys.read })).status, 401);
});
