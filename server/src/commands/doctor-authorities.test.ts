import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeAuthority } from '../../test/support/peers/certificates.ts';
import { checkAuthorities } from './doctor-authorities.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-authorities-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'ca.pem');
const DAY_MS = 86_400_000;

test('authorities that can be used are named, from a file with comments', async () => {
  const all = [makeAuthority('Example CA'), makeAuthority('Other CA')].map(({ certificate }) => certificate);
  writeFileSync(file, `# ours\n${all.join('\n')}`);
  const { status, message, fix } = await checkAuthorities(file, Date.now() - 60 * DAY_MS);
  assert.deepEqual([status, fix], ['ok', null]);
  assert.match(message, /"Example CA", "Other CA" of /);
  assert.equal((await checkAuthorities(undefined)).status, 'ok');
});

test('a file that Node would ignore is found', async () => {
  const { certificate } = makeAuthority();
  for (const [text, problem] of [
    ['', /has no certificate in PEM$/],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /cannot be used: /],
    [certificate.replace(/\n.{40}/, `\n${'A'.repeat(40)}`), /cannot be used: /],
  ] as const) {
    writeFileSync(file, text);
    const check = await checkAuthorities(file);
    assert.deepEqual([check.status, problem.test(check.message)], ['fail', true], check.message);
  }
  const missing = await checkAuthorities(join(folder, 'missing.pem'));
  assert.deepEqual([missing.status, missing.message.includes('ENOENT')], ['fail', true]);
});

test('an authority that expires soon or has expired is a warning, and a file of expired ones fails', async () => {
  writeFileSync(file, makeAuthority('Example CA').certificate);
  const soon = await checkAuthorities(file);
  assert.deepEqual([soon.status, /^"Example CA" in .* expires soon: /.test(soon.message)], ['warn', true]);
  const late = await checkAuthorities(file, Date.now() + 2 * DAY_MS);
  assert.deepEqual([late.status, /^"Example CA" in .* has expired: /.test(late.message)], ['fail', true]);
  const lasting = makeAuthority().issue(['ca.example'], {
    from: Date.now() - DAY_MS,
    to: Date.now() + 9 * DAY_MS,
  }).cert;
  writeFileSync(file, `${makeAuthority('Example CA').certificate}\n${lasting}`);
  const part = await checkAuthorities(file, Date.now() + 2 * DAY_MS);
  assert.deepEqual([part.status, /^"Example CA" in .* has expired: /.test(part.message)], ['warn', true]);
});
