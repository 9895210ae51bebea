import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkOrigin, mayConnect, type OriginProblem } from './address-guard.ts';
import { isPublicAddress } from './address-ranges.ts';
import { type AllowList, parseAllowList } from './allow-list.ts';

const none: AllowList = [];
const words = (text: string) => text.trim().split(/\s+/);
const origins = (hosts: string) => words(hosts).map((host) => `https://${host}`);
const refusal = (text: string, allow = none) => {
  const checked = checkOrigin(text, allow);
  return 'problem' in checked ? checked.problem : undefined;
};

const PUBLIC = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 128.0.0.1 168.63.129.15
  172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255
  2000::1 2001:200::1 2001:4860:4860::8888 2003::1 2606:4700:4700::1111 2a00:1450:4001:800::200e 3fff:1000::1
`);

const NOT_PUBLIC: Record<string, string> = {
  'this network': '0.0.0.0 0.0.0.1 0.255.255.255',
  private: '10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255',
  'carrier-grade NAT': '100.64.0.0 100.127.255.255',
  loopback: '127.0.0.1 127.255.255.255 ::1',
  'link-local': '169.254.0.0 169.254.255.255 fe80::1 febf::1 fe80::1%eth0',
  'cloud metadata': '169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254',
  'protocol assignments': '192.0.0.0 192.0.0.255 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1',
  documentation: '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 3fff:fff:ffff::1',
  benchmarking: '198.18.0.0 198.19.255.255 2001:2::1',
  'multicast and reserved': '224.0.0.1 239.255.255.255 240.0.0.0 255.255.255.255 ff02::1 ff0e::1',
  'unspecified and the deprecated ::/96': ':: ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::2',
  'IPv4 inside IPv6': '::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 ::ffff:0:127.0.0.1',
  NAT64: '64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 64:ff9b:1:ffff::1',
  '6to4 and Teredo': '2002::1 2002:7f00:1::1 2002:808:808::1 2001::1 2001:0:7f00:1::1',
  '2001::/23': '2001:1::1 2001:10::1 2001:20::1 2001:3::1 2001:4:112::1 2001:1ff:ffff::1',
  'unique local and site-local': 'fc00::1 fd00::1 fdff::1 fec0::1 feff::1',
  'outside 2000::/3, or AS112': '100::1 100:0:0:1::1 4000::1 5f00::1 8000::1 f000::1 1fff::1 2620:4f:8000::1',
  'not an address': 'localhost 127.1 2130706433 0x7f000001 0177.0.0.1 1.2.3 1.2.3.4.5 [::1]',
};

describe('isPublicAddress', () => {
  for (const address of PUBLIC) {
    test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
  }
  for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
    for (const address of words(addresses)) {
      test(`${address} is not public: ${kind}`, () => assert.equal(isPublicAddress(address), false));
    }
  }
  test('an empty text, and an address after a space, are not public', () => {
    assert.deepEqual(['', ' 8.8.8.8'].map(isPublicAddress), [false, false]);
  });
});

describe('checkOrigin', () => {
  const accepted: [text: string, origin: string, port: number][] = [
    ['https://api.example.com', 'https://api.example.com', 443],
    ['https://api.example.com/', 'https://api.example.com', 443],
    ['HTTPS://API.Example.COM', 'https://api.example.com', 443],
    ['https://api.example.com:443', 'https://api.example.com', 443],
    ['https://api.example.com:8443/', 'https://api.example.com:8443', 8443],
    ['https://api.example.com:65535', 'https://api.example.com:65535', 65_535],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example', 443],
    ['https://a-b.c1.example', 'https://a-b.c1.example', 443],
    ['https://8.8.8.8', 'https://8.8.8.8', 443],
    ['https://8.8.8.8:8443', 'https://8.8.8.8:8443', 8443],
    ['https://notlocalhost.example', 'https://notlocalhost.example', 443],
    ['https://internal.example.com', 'https://internal.example.com', 443],
  ];
  for (const [text, origin, port] of accepted) {
    test(`${text} is accepted`, () => {
      assert.deepEqual(checkOrigin(text, none), { origin, scheme: 'https', hostname: new URL(text).hostname, port });
    });
  }

  const api = 'https://api.example.com';
  const refused: Record<OriginProblem, string[]> = {
    not_url: [
      ...['', 'not a url', 'https:', 'https://', 'https:///', 'https://[', '//a.example', '/x', 'https://a b.example'],
      ...origins('[fe80::1%25eth0] [fe80::1%eth0] a.example:99999 1.2.3.256'),
    ],
    not_https: words(`
      http://api.example.com HTTP://api.example.com http://api.example.com/v1 ftp://api.example.com wss://api.example.com
      file:///etc/passwd javascript:1 localhost:3000
    `),
    not_origin: [
      ...words('/v1 /v1/ // /. /.. ?x=1 ? #x # \\v1 \\@127.0.0.1').map((tail) => `${api}${tail}`),
      ...origins('user:pass@api.example.com user@api.example.com @api.example.com 8.8.8.8@127.0.0.1'),
    ],
    bad_host: [
      // Other spellings of an address
      ...origins('2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.1 127.0.1 127.0.0.1. 134744072 010.8.8.8'),
      ...origins('１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 ⓛocalhost %31%32%37.0.0.1 127.0.0.1%41.example.com'),
      ...origins('[::ffff:127.0.0.1] [0:0:0:0:0:0:0:1] [2606:4700:4700::1111] [2606:4700:4700:0::1111]'),
      // Names that are not plain
      ...origins('bücher.example api。example.com ap\u00adi.example.com api%2eexample.com api.example.com. localhost.'),
      ...origins("a_b.example a;b.example a,b.example a!b.example a'b.example a(b).example a{b}.example a~b.example"),
      ...origins('a$b.example a*b.example -a.example a-.example a..example .example'),
      ...origins(`${'a'.repeat(64)}.example ${'a.'.repeat(126)}ab`),
      // What URL would silently drop or repair
      ...['https:api.example.com', 'https://a\tpi.example.com', `${api}\n`, `${api} `, 'https://api\r\n.example.com'],
      ...[`${api}:0443`, `${api}:`],
    ],
    bad_port: [...words('22 80 0 1023 5432 6379 11211').map((port) => `${api}:${port}`), 'https://8.8.8.8:25'],
    not_public: [
      ...origins('10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 127.0.0.1 127.0.0.1:8443'),
      ...origins('224.0.0.1 168.63.129.16 198.18.0.1 255.255.255.255'),
      ...origins('[::1] [::] [fd00::1] [fe80::1] [fec0::1] [::ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::]'),
      ...origins('[2001::1] [5f00::1] [3fff::1] [4000::1] [::7f00:1] [fd00:ec2::254]'),
      ...origins('localhost LOCALHOST:8443 app.localhost printer.local metadata.google.internal host.docker.internal'),
      ...origins('x.localdomain router.home.arpa abc.onion intranet kubernetes'),
    ],
  };
  for (const [problem, texts] of Object.entries(refused)) {
    for (const text of texts) {
      test(`${JSON.stringify(text)} is refused: ${problem}`, () => assert.equal(refusal(text), problem));
    }
  }
});

describe("the operator's allow list", () => {
  const { allowed } = parseAllowList('127.0.0.1:8443, [::1]:9443,10.0.0.5:80');

  test('what is on it passes, at that port only', () => {
    assert.equal(refusal('https://127.0.0.1:8443', allowed), undefined);
    assert.equal(refusal('https://[::1]:9443', allowed), undefined);
    assert.equal(refusal('https://10.0.0.5:80', allowed), undefined);
    assert.equal(refusal('https://127.0.0.1:8444', allowed), 'not_public');
    assert.equal(refusal('https://127.0.0.1', allowed), 'not_public');
    assert.equal(refusal('https://127.0.0.2:8443', allowed), 'not_public');
    assert.equal(refusal('https://[::1]:8443', allowed), 'not_public');
  });
  test('a folded spelling of it is still refused', () => {
    for (const host of ['2130706433', '127.1', '0x7f.1'])
      assert.equal(refusal(`https://${host}:8443`, allowed), 'bad_host');
  });
  test('a local name passes only with a port that is on it', () => {
    assert.equal(refusal('https://localhost:8443', allowed), undefined);
    assert.equal(refusal('https://intranet:9443', allowed), undefined);
    assert.equal(refusal('https://localhost:18443', allowed), 'not_public');
    assert.equal(refusal('https://localhost', allowed), 'not_public');
  });
  test('at connect time it goes before the deny list, and the deny list before what is public', () => {
    const deny = new Set(['8.8.8.8:443', '127.0.0.1:8443', '[2606:4700::1]:443']);
    const may = (address: string, port: number) =>
      mayConnect({ scheme: 'https', hostname: 'api.example.com', port }, address, allowed, deny);
    assert.equal(may('127.0.0.1', 8443), true);
    assert.equal(may('8.8.8.8', 443), false);
    assert.equal(may('8.8.8.8', 8443), true);
    assert.equal(may('2606:4700:0::1', 443), false);
    assert.equal(may('0:0:0:0:0:0:0:1', 9443), true);
    assert.equal(may('::ffff:127.0.0.1', 8443), false);
    assert.equal(may('', 8443), false);
  });
  test('a public address is not called at a port that is on it for another address', () => {
    const target = { scheme: 'https', hostname: 'api.example.com', port: 80 } as const;
    assert.equal(mayConnect(target, '10.0.0.5', allowed, new Set()), true);
    assert.equal(mayConnect(target, '8.8.8.8', allowed, new Set()), false);
  });
});
