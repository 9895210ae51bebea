import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkOrigin, mayConnect } from './address-guard.ts';
import { parseAllowList } from './allow-list.ts';

const listOf = (text: string) => {
  const { allowed, problems } = parseAllowList(text);
  assert.deepEqual(problems, []);
  return allowed;
};
const textsOf = (text: string) => listOf(text).map((entry) => entry.text);

/** Whether this origin, at this address, may be called: both checks, as they are made for a call. */
function mayCall(list: string, origin: string, address: string, deny: string[] = []): boolean {
  const allowed = listOf(list);
  const checked = checkOrigin(origin, allowed);
  return !('problem' in checked) && mayConnect(checked, address, allowed, new Set(deny));
}

describe('the spelling of an entry', () => {
  const spellings: [entry: string, text: string][] = [
    ['127.0.0.1:8443', '127.0.0.1:8443'],
    ['[::1]:9443', '[::1]:9443'],
    ['[0:0:0:0:0:0:0:1]:9443', '[::1]:9443'],
    ['[::ffff:127.0.0.1]:443', '[::ffff:7f00:1]:443'],
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.5/32', '10.0.0.5'],
    ['[fd00::5]', '[fd00::5]'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.0.0.0/8:8443', '10.0.0.0/8:8443'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['fd00::/8', '[fd00::/8]'],
    ['FD00:0::/8', '[fd00::/8]'],
    ['[fd00::/8]:8443', '[fd00::/8]:8443'],
    ['[fd00::]/8:8443', '[fd00::/8]:8443'],
    ['api.internal', 'api.internal'],
    ['API.Internal.:443', 'api.internal:443'],
    ['localhost:8443', 'localhost:8443'],
    ['db', 'db'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.svc.local', '*.svc.local'],
    ['*.SVC.local.:8443', '*.svc.local:8443'],
    ['*.internal', '*.internal'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['HTTP://API.internal:8080/', 'http://api.internal:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['http://api.internal', 'http://api.internal:80'],
  ];
  for (const [entry, text] of spellings) {
    test(`${entry} is ${text}`, () => assert.deepEqual(textsOf(entry), [text]));
  }

  const wrong: [entry: string, sentence: RegExp][] = [
    ['127.1:8443', /not an IP address, range/],
    ['2130706433', /not an IP address, range/],
    ['0x7f.1', /not an IP address, range/],
    ['１２７.０.０.１', /not an IP address, range/],
    ['10.0.0.256', /not an IP address, range/],
    ['a_b.internal', /not an IP address, range/],
    ['a b', /not an IP address, range/],
    ['a@b', /not an IP address, range/],
    ['%61pi.internal', /no zone|not an IP address, range/],
    ['-a.internal', /not an IP address, range/],
    ['a..internal', /not an IP address, range/],
    ['*', /not an IP address, range/],
    ['*.', /must be followed by the rest of a host name/],
    ['*.*.local', /must be followed by the rest of a host name/],
    ['a*.local', /not an IP address, range/],
    ['*.10.0.0.1', /must be followed by the rest of a host name/],
    ['::1:8443', /goes in brackets/],
    ['fd00::5', /goes in brackets/],
    ['fd00::/8:443', /goes in brackets/],
    ['[127.0.0.1]:1', /goes in brackets/],
    ['[api.internal]:1', /goes in brackets/],
    ['[fe80::1%eth0]:1', /no zone/],
    ['1.2.3.4:0', /number from 1 to 65535/],
    ['1.2.3.4:65536', /number from 1 to 65535/],
    ['1.2.3.4:', /number from 1 to 65535/],
    ['api.internal:https', /number from 1 to 65535/],
    ['10.0.0.5/8', /begins at 10\.0\.0\.0: write 10\.0\.0\.0\/8, or 10\.0\.0\.5/],
    ['fd00::5/8', /begins at fd00::: write fd00::\/8/],
    ['10.0.0.0/33', /from \/0 to \/32/],
    ['10.0.0.0/x', /from \/0 to \/32/],
    ['10.0.0.0/8/8', /without a path/],
    ['::ffff:10.0.0.0/104', /write the range as IPv4/],
    ['api.internal/v1', /without a path/],
    ['https://1.2.3.4:8443', /as in 1\.2\.3\.4:8443/],
    ['ftp://1.2.3.4', /remove everything before the host/],
    ['http://10.0.0.0/8', /one host and port only/],
    ['http://*.svc.local:80', /one host and port only/],
    ['http://api.internal:80/v1', /number from 1 to 65535|without a path/],
    ['http://user@api.internal:80', /not an IP address, range/],
    ['http://', /not an IP address, range/],
  ];
  for (const [entry, sentence] of wrong) {
    test(`${entry} is refused with a sentence that names it`, () => {
      const { allowed, problems } = parseAllowList(`10.0.0.1, ${entry}`);
      assert.deepEqual([allowed.length, problems.length], [1, 1]);
      assert.ok(problems[0]?.startsWith(`"${entry}": `), problems[0]);
      assert.match(problems[0] ?? '', sentence);
    });
  }

  test('commas, line breaks and comments separate entries, and an entry counts once', () => {
    const file = '# our own network\n10.0.0.0/8, api.internal:443 # the shop\r\n\n , API.internal:443\n';
    assert.deepEqual(textsOf(file), ['10.0.0.0/8', 'api.internal:443']);
    assert.deepEqual(textsOf(' , \n'), []);
  });
});

describe('what an entry allows', () => {
  const rows: [list: string, origin: string, address: string, may: boolean][] = [
    // An address without a port: usual ports only.
    ['10.0.0.5', 'https://10.0.0.5', '10.0.0.5', true],
    ['10.0.0.5', 'https://10.0.0.5:8443', '10.0.0.5', true],
    ['10.0.0.5', 'https://10.0.0.5:6379', '10.0.0.5', false],
    ['10.0.0.5', 'https://10.0.0.5:22', '10.0.0.5', false],
    ['10.0.0.5:22', 'https://10.0.0.5:22', '10.0.0.5', true],
    ['10.0.0.5', 'http://10.0.0.5', '10.0.0.5', false],
    ['10.0.0.5', 'https://10.0.0.6', '10.0.0.6', false],
    // Ranges
    ['10.0.0.0/8', 'https://10.255.255.255', '10.255.255.255', true],
    ['10.0.0.0/8', 'https://11.0.0.0:22', '11.0.0.0', false],
    ['10.0.0.0/8', 'https://172.16.0.1', '172.16.0.1', false],
    ['10.0.0.0/8:8443', 'https://10.1.1.1:8443', '10.1.1.1', true],
    ['10.0.0.0/8:8443', 'https://10.1.1.1', '10.1.1.1', false],
    ['fd00::/8', 'https://[fd12:3456::1]', 'fd12:3456::1', true],
    ['fd00::/8', 'https://[fc00::1]', 'fc00::1', false],
    // An IPv6 range does not allow IPv4 addresses, however they are written.
    ['::/0', 'https://[::ffff:a00:5]', '::ffff:10.0.0.5', false],
    ['::/0', 'https://api.internal', '::ffff:10.0.0.5', false],
    ['10.0.0.0/8', 'https://[::ffff:a00:5]', '::ffff:10.0.0.5', false],
    ['0.0.0.0/0', 'https://0.0.0.0', '0.0.0.0', false],
    ['::/0', 'https://[::]', '::', false],
    // A name that stands for an address in a range
    ['10.0.0.0/8', 'https://api.internal', '10.0.0.5', true],
    ['10.0.0.0/8', 'https://api', '10.0.0.5', true],
    ['10.0.0.0/8', 'https://api.internal', '192.168.0.1', false],
    // Names
    ['api.internal', 'https://api.internal', '10.0.0.5', true],
    ['api.internal', 'https://API.internal:8443', '192.168.1.1', true],
    ['api.internal', 'https://api.internal:5432', '10.0.0.5', false],
    ['api.internal:5432', 'https://api.internal:5432', '10.0.0.5', true],
    ['api.internal:443', 'https://api.internal:8443', '10.0.0.5', false],
    ['api.internal', 'https://api.internal', 'fd00::5', true],
    ['api.internal', 'https://api.internal', '127.0.0.1', true],
    ['api.internal', 'https://api.internal', '100.64.0.1', true],
    ['api.internal', 'https://api.internal', '93.184.216.34', true],
    ['api.internal', 'https://x.api.internal', '10.0.0.5', false],
    ['api.internal', 'https://other.example.com', '10.0.0.5', false],
    ['api.internal', 'https://10.0.0.5', '10.0.0.5', false],
    ['bücher.internal', 'https://xn--bcher-kva.internal', '10.0.0.5', true],
    ['db', 'https://db', '10.0.0.5', true],
    // A name reaches neither metadata services nor what is no host.
    ['api.internal', 'https://api.internal', '169.254.169.254', false],
    ['api.internal', 'https://api.internal', '168.63.129.16', false],
    ['api.internal', 'https://api.internal', '100.100.100.200', false],
    ['api.internal', 'https://api.internal', 'fd00:ec2::254', false],
    ['api.internal', 'https://api.internal', 'fe80::1', false],
    ['api.internal', 'https://api.internal', '::ffff:10.0.0.5', false],
    ['api.internal', 'https://api.internal', '0.0.0.0', false],
    ['api.internal', 'https://api.internal', '224.0.0.1', false],
    ['api.internal, 169.254.169.254:443', 'https://api.internal', '169.254.169.254', true],
    // Suffixes
    ['*.svc.local', 'https://shop.svc.local', '10.0.0.5', true],
    ['*.svc.local', 'https://a.b.svc.local:8443', '10.0.0.5', true],
    ['*.svc.local', 'https://svc.local', '10.0.0.5', false],
    ['*.svc.local', 'https://evilsvc.local', '10.0.0.5', false],
    ['*.svc.local', 'https://svc.local.example.com', '10.0.0.5', false],
    // Plain HTTP
    ['http://10.0.0.5:8080', 'http://10.0.0.5:8080', '10.0.0.5', true],
    ['http://10.0.0.5:8080', 'HTTP://10.0.0.5:8080/', '10.0.0.5', true],
    ['http://10.0.0.5:8080', 'https://10.0.0.5:8080', '10.0.0.5', false],
    ['http://10.0.0.5:8080', 'http://10.0.0.5:8081', '10.0.0.5', false],
    ['http://10.0.0.5:8080', 'http://10.0.0.5', '10.0.0.5', false],
    ['http://10.0.0.5:8080', 'http://api.internal:8080', '10.0.0.5', false],
    ['http://10.0.0.5:8080, 10.0.0.0/8, *.internal', 'http://api.internal:8080', '10.0.0.5', false],
    ['http://10.0.0.5', 'http://10.0.0.5:80', '10.0.0.5', true],
    ['http://api.internal:8080', 'http://api.internal:8080', '10.0.0.5', true],
    ['http://api.internal:8080', 'http://api.internal:8080', '169.254.169.254', false],
    ['http://api.internal:8080', 'http://10.0.0.5:8080', '10.0.0.5', false],
    ['http://api.internal:8080', 'https://api.internal:8080', '10.0.0.5', false],
    ['http://93.184.216.34:80', 'http://93.184.216.34', '93.184.216.34', true],
    ['http://93.184.216.34:80', 'http://example.com', '93.184.216.34', false],
  ];
  for (const [list, origin, address, may] of rows) {
    test(`${list}: ${origin} at ${address} ${may ? 'may' : 'may not'} be called`, () => {
      assert.equal(mayCall(list, origin, address), may);
    });
  }

  test('where this server listens is reached only by an entry with that very address and port', () => {
    const own = ['127.0.0.1:3000', '[::1]:3000'];
    const at = (list: string, origin: string, address = '127.0.0.1') => mayCall(list, origin, address, own);
    for (const list of ['127.0.0.0/8', '127.0.0.1', '127.0.0.0/8:3000', 'localhost', 'localhost:3000', '0.0.0.0/0'])
      assert.equal(at(list, 'https://localhost:3000'), false, list);
    assert.equal(at('127.0.0.0/8', 'https://127.0.0.2:3000', '127.0.0.2'), false);
    assert.equal(at('::/0', 'https://[::1]:3000', '::1'), false);
    assert.equal(at('http://localhost:3000', 'http://localhost:3000'), false);
    assert.equal(at('127.0.0.1:3000', 'https://localhost:3000'), true);
    assert.equal(at('http://127.0.0.1:3000', 'http://127.0.0.1:3000'), true);
    assert.equal(at('127.0.0.0/8', 'https://localhost:3001'), true);
  });
});

test('an origin that is allowed over plain HTTP must still be spelled as an origin', () => {
  const allowed = listOf('http://10.0.0.5:8080');
  const problem = (text: string) => {
    const checked = checkOrigin(text, allowed);
    return 'problem' in checked ? checked.problem : undefined;
  };
  assert.equal(problem('http://10.0.0.5:8080/v1'), 'not_origin');
  assert.equal(problem('http://user@10.0.0.5:8080'), 'not_origin');
  assert.equal(problem('http://10.5:8080'), 'bad_host');
  assert.equal(problem('http://10.0.0.5:08080'), 'bad_host');
  assert.equal(problem('http://10.0.0.5:8081/v1'), 'not_https');
});
