// What TOOLGATE_EGRESS_PROXY and TOOLGATE_EGRESS_NO_PROXY may be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProxy, parseDirectHosts, parseProxyUrl } from './egress-proxy.ts';

test('a URL of a proxy has a host, a port and credentials, which are decoded', () => {
  assert.deepEqual(parseProxyUrl('http://proxy.internal:3128'), {
    scheme: 'http',
    hostname: 'proxy.internal',
    port: 3128,
    authorization: null,
  });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  assert.equal(parseProxyUrl('http://user:p%40ss%3A@proxy:3128')?.authorization, basic('user:p@ss:'));
  assert.equal(parseProxyUrl('http://user@proxy')?.authorization, basic('user:'));
  assert.deepEqual([parseProxyUrl('https://proxy')?.port, parseProxyUrl('http://proxy/')?.port], [443, 80]);
  assert.equal(parseProxyUrl('http://[fd00::5]:3128')?.hostname, 'fd00::5');
});

for (const text of [
  'proxy:3128',
  'socks5://proxy:1080',
  'http://proxy/path',
  'http://proxy/?x=1',
  'http://proxy#x',
  'http://u:%zz@proxy',
  'http://',
  '',
])
  test(`${text || 'nothing'} is not the URL of a proxy`, () => assert.equal(parseProxyUrl(text), null));

test('a proxy is described without its credentials', () => {
  const describe = (text: string) =>
    describeProxy(parseProxyUrl(text) as NonNullable<ReturnType<typeof parseProxyUrl>>);
  assert.equal(describe('http://user:secret@proxy.internal:3128'), 'http://proxy.internal:3128');
  assert.equal(describe('https://u:s@[fd00::5]'), 'https://[fd00::5]:443');
});

test('names, suffixes, addresses and ranges are reached directly, and nothing else is', () => {
  const { direct, wrong } = parseDirectHosts(
    'api.internal, *.corp.example,.svc.local, 10.0.0.5,192.168.0.0/16,[fd00::1],fd01::/16',
  );
  assert.deepEqual(wrong, []);
  const names = ['api.internal', 'a.corp.example', 'a.b.corp.example', 'x.svc.local'];
  assert.deepEqual(names.filter(direct.hasName), names);
  for (const name of ['internal', 'x.api.internal', 'corp.example', 'notcorp.example', 'localhost', '10.0.0.5'])
    assert.ok(!direct.hasName(name), name);
  const addresses = ['10.0.0.5', '192.168.7.7', 'fd00::1', 'fd01::7', '::ffff:10.0.0.5'];
  assert.deepEqual(addresses.filter(direct.hasAddress), addresses);
  for (const address of ['10.0.0.6', '127.0.0.1', '::1', 'fd00::2']) assert.ok(!direct.hasAddress(address), address);
});

test('an entry that is none of them is named', () => {
  const { wrong } = parseDirectHosts('api.internal:8443, 10.0.0.0/33, 10.0.0.0/x, a b, *, http://x, 10.0.0.0/8/8, ok');
  assert.deepEqual(wrong, ['api.internal:8443', '10.0.0.0/33', '10.0.0.0/x', 'a b', '*', 'http://x', '10.0.0.0/8/8']);
});
