import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHostsFile } from './hosts-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-hosts-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'hosts');

test('a name has every address its lines give it, in any case, without comments and other lines', () => {
  writeFileSync(
    path,
    '127.0.0.1\tlocalhost API.Example # other.example\n\n::1 localhost\n#1.2.3.4 api.example\nx api.example\r\n',
  );
  const addresses = openHostsFile(path);
  assert.deepEqual(addresses('localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.deepEqual(addresses('api.EXAMPLE'), [{ address: '127.0.0.1', family: 4 }]);
  for (const name of ['other.example', 'constructor', '']) assert.deepEqual(addresses(name), []);
});

test('a change of the file counts at once, also when it goes and comes', () => {
  const addresses = openHostsFile(path);
  writeFileSync(path, '192.0.2.1 api.example\n');
  assert.equal(addresses('api.example')[0]?.address, '192.0.2.1');
  writeFileSync(path, '192.0.2.22 api.example\n');
  assert.equal(addresses('api.example')[0]?.address, '192.0.2.22');
  rmSync(path);
  assert.deepEqual(addresses('api.example'), []);
  writeFileSync(path, '192.0.2.3 api.example\n');
  assert.equal(addresses('api.example')[0]?.address, '192.0.2.3');
});
