import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  type Customer,
  type CustomerResponse,
  startCustomer,
  startSilentPort,
  testAuthority,
} from '../../test/support/peers/fake-customer.ts';
import { freePort } from '../../test/support/servers/free-port.ts';
import { parseAllowList } from './allow-list.ts';
import { type OutboundRequest, SendError, type SendErrorKind } from './messages.ts';
import { createSend } from './send.ts';

const MIB = 1 << 20;
const customer = await startCustomer();
const stranger = await startCustomer({ trusted: false });
const misnamed = await startCustomer({ names: ['somebody-else.example'] });
const silent = await startSilentPort();
const dead = await freePort();
const { allowed } = parseAllowList(
  [customer.address, stranger.address, misnamed.address, `127.0.0.1:${silent.port}`, `127.0.0.1:${dead}`].join(','),
);
const send = createSend({ allow: allowed, ca: [testAuthority.certificate] });

after(async () => {
  await send.close();
  await Promise.all([customer, stranger, misnamed, silent].map((server) => server.close()));
});

let count = 0;
const ask = (fields: Partial<OutboundRequest> = {}) =>
  send({
    origin: customer.url,
    path: '/',
    method: 'POST',
    headers: {},
    timeout_ms: 10_000,
    max_response_bytes: MIB,
    isolation_key: 'prj_a',
    ...fields,
  });

/** Sets this response at a new path and calls it. */
function askFor(response: CustomerResponse, fields: Partial<OutboundRequest> = {}, at: Customer = customer) {
  count += 1;
  const path = `/${count}`;
  at.respond(path, response);
  return { path, sent: ask({ origin: at.url, path, ...fields }) };
}

async function failsAs(kind: SendErrorKind, sent: Promise<unknown>): Promise<SendError> {
  const error = await sent.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SendError, String(error));
  assert.equal(error.kind, kind, error.reason);
  assert.ok(!/\d+\.\d+\.\d+\.\d+|ECONN/.test(error.message), 'the public message names an address');
  return error;
}

describe('a call', () => {
  test('arrives as it was given: method, path, query, headers, body', async () => {
    const body = '{"name":"ü"}';
    const headers = { 'content-type': 'application/json', 'x-one': 'two' };
    const response = await ask({ path: '/echo/a%2Fb?q=x%20y&q=z', method: 'PUT', headers, body });
    const [request] = customer.at('/echo/a%2Fb');
    assert.deepEqual([request?.method, request?.query, request?.body.toString()], ['PUT', 'q=x%20y&q=z', body]);
    assert.deepEqual(
      { ...request?.headers },
      {
        ...headers,
        host: customer.address,
        'accept-encoding': 'identity',
        connection: 'keep-alive',
        'content-length': '13',
      },
    );
    assert.deepEqual([response.status, response.truncated, response.body.toString()], [200, false, '{"ok":true}']);
    assert.deepEqual(response.headers, { 'content-type': 'application/json' });
  });

  for (const status of [204, 302, 400, 404, 500, 503]) {
    test(`${status} is a response, not a failure`, async () => {
      assert.equal((await askFor({ status, headers: { location: `${customer.url}/followed` } }).sent).status, status);
      assert.equal(customer.at('/followed').length, 0);
    });
  }

  test('passes on the headers that callers use and no others', async () => {
    const headers = { 'retry-after': '7', 'cache-control': 'no-store', 'set-cookie': 'a=b', 'x-inside': 'secret' };
    const { headers: kept } = await askFor({ status: 429, headers }).sent;
    assert.deepEqual(kept, { 'content-type': 'application/json', 'retry-after': '7', 'cache-control': 'no-store' });
  });

  test('uses one connection again and again', async () => {
    for (let call = 0; call < 5; call += 1) await ask({ isolation_key: 'prj_keep_alive' });
    const before = customer.counts.connections;
    for (let call = 0; call < 5; call += 1) await ask({ isolation_key: 'prj_keep_alive' });
    assert.equal(customer.counts.connections, before);
  });

  test('ignores proxy variables', async () => {
    const variables = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of variables) process.env[name] = `http://127.0.0.1:${dead}`;
    try {
      assert.equal((await ask({ isolation_key: 'prj_proxy' })).status, 200);
    } finally {
      for (const name of variables) delete process.env[name];
    }
  });
});

describe('a body', () => {
  test('of exactly the limit is complete, of one byte more is truncated', async () => {
    const whole = await askFor({ body: 'x'.repeat(1_000) }, { max_response_bytes: 1_000 }).sent;
    assert.deepEqual([whole.body.length, whole.truncated], [1_000, false]);
    const cut = await askFor({ body: 'x'.repeat(1_001) }, { max_response_bytes: 1_000 }).sent;
    assert.deepEqual([cut.body.length, cut.truncated], [1_000, true]);
  });

  test('without end is truncated at the limit', async () => {
    const endless = { repeat: { part: Buffer.alloc(65_536, 'x'), times: Number.POSITIVE_INFINITY } };
    const response = await askFor(endless).sent;
    assert.deepEqual([response.body.length, response.truncated], [MIB, true]);
  });

  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [encoding, pack] of Object.entries(packers)) {
    const headers = { 'content-encoding': encoding };
    test(`in ${encoding} is decompressed`, async () => {
      assert.equal((await askFor({ headers, body: pack('plain words') }).sent).body.toString(), 'plain words');
      assert.equal((await askFor({ headers, status: 204 }).sent).body.length, 0);
    });
    test(`that is a ${encoding} bomb is truncated at the limit`, async () => {
      const response = await askFor({ headers, body: pack(Buffer.alloc(16 * MIB, ' ')) }).sent;
      assert.deepEqual([response.body.length, response.truncated], [MIB, true]);
    });
    test(`that claims to be ${encoding} and is not is a connection error`, async () => {
      await failsAs('connection', askFor({ headers, body: 'plain words' }).sent);
    });
  }

  for (const encoding of ['zstd', 'gzip, gzip', 'toString']) {
    test(`in ${encoding} is a connection error`, async () => {
      await failsAs('connection', askFor({ headers: { 'content-encoding': encoding }, body: 'x' }).sent);
    });
  }
});

describe('an origin that misbehaves', () => {
  const raw: Record<string, string> = {
    'speaks garbage': 'SSH-2.0-OpenSSH_9.2\r\n',
    'closes without a word': '',
    'promises more than it sends': 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort',
    'ends in the middle of a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nshort',
    'sends two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 2\r\n\r\nhello',
    'sends headers of 20 KiB': `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_480)}\r\ncontent-length: 0\r\n\r\n`,
    'switches protocols unasked': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(raw)) {
    test(`and ${what} is a connection error, and was called once`, async () => {
      const { path, sent } = askFor({ raw: bytes });
      await failsAs('connection', sent);
      assert.equal(customer.at(path).length, 1);
    });
  }

  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    test(`and resets a ${method} is a connection error, and was called once`, async () => {
      await ask();
      const { path, sent } = askFor({ reset: true }, { method });
      await failsAs('connection', sent);
      assert.equal(customer.at(path).length, 1);
    });
  }

  test('and sends more bytes than Content-Length does not affect later responses', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison';
    await askFor({ raw: bytes }, { isolation_key: 'prj_poison' }).sent.catch(() => {});
    assert.equal((await ask({ isolation_key: 'prj_poison' })).body.toString(), '{"ok":true}');
  });

  test('with an untrusted certificate, or one for another name, gets no request', async () => {
    await failsAs('connection', ask({ origin: stranger.url }));
    await failsAs('connection', ask({ origin: `https://localhost:${misnamed.port}` }));
    assert.equal(stranger.requests.length + misnamed.requests.length, 0);
  });

  test('that refuses the connection is a connection error', async () => {
    const error = await failsAs('connection', ask({ origin: `https://127.0.0.1:${dead}` }));
    assert.match(error.reason, /ECONNREFUSED/);
  });

  const slow: Record<string, CustomerResponse> = {
    'never responds': { hang: true },
    'drips without end': { drip_ms: 10 },
    'starts a body and stops': { headers: { 'content-length': '10' }, drip_ms: 1 << 30 },
  };
  for (const [what, response] of Object.entries(slow)) {
    test(`and ${what} is a timeout, and was called once`, async () => {
      await ask(); // a connection that is there: on a busy machine a new one takes longer
      const { path, sent } = askFor(response, { timeout_ms: 500 });
      await failsAs('timeout', sent);
      assert.equal(customer.at(path).length, 1);
    });
  }

  test('and sends its status line after the headers timeout is a timeout', async () => {
    const error = await failsAs('timeout', askFor({ hang: true }, { headers_timeout_ms: 100 }).sent);
    assert.match(error.reason, /no status line/);
  });

  test('and accepts the connection without responding is a timeout', async () => {
    await failsAs('timeout', ask({ origin: `https://127.0.0.1:${silent.port}`, timeout_ms: 150 }));
  });

  test('and accepts the connection without responding is a connection error after the connect timeout', async () => {
    const hasty = createSend({ allow: allowed, connect_timeout_ms: 100 });
    const origin = `https://127.0.0.1:${silent.port}`;
    await failsAs('connection', hasty({ ...base, origin }));
    await hasty.close();
  });

  const base = {
    path: '/',
    method: 'GET',
    headers: {},
    timeout_ms: 10_000,
    max_response_bytes: 1,
    isolation_key: 'p',
  } as const;
});

describe('what cannot be sent', () => {
  const bad: Record<string, Partial<OutboundRequest>> = {
    'a line break in a header': { headers: { 'x-a': 'b\r\nx-evil: 1' } },
    'a NUL in a header': { headers: { 'x-a': 'b\0' } },
    'a header beyond ASCII': { headers: { 'x-a': 'ü' } },
    'an invalid header name': { headers: { 'x a': 'b' } },
    'a Host of its own': { headers: { Host: 'metadata.google.internal' } },
    'an encoding of its own': { headers: { 'transfer-encoding': 'chunked' } },
    'a length of its own': { headers: { 'Content-Length': '3' } },
    'an upgrade': { headers: { upgrade: 'websocket' } },
    'a path without slash': { path: 'x' },
    'an empty path': { path: '' },
    'a path with a blank': { path: '/a b' },
    'a path with a line break': { path: '/a\r\nX-Evil: 1' },
    'a whole URL as path': { path: 'https://elsewhere.example/' },
  };
  for (const [what, fields] of Object.entries(bad)) {
    test(`${what} is refused before anything is sent`, async () => {
      const before = customer.requests.length;
      await failsAs('invalid', ask(fields));
      assert.equal(customer.requests.length, before);
    });
  }

  test('does not use up the connections of its origin', async () => {
    const isolation_key = 'prj_invalid';
    const wrong = Array.from({ length: 40 }, () => ask({ isolation_key, headers: { 'x-a': '\n' } }));
    await Promise.all(wrong.map((sent) => failsAs('invalid', sent)));
    assert.equal((await ask({ isolation_key })).status, 200);
  });
});
