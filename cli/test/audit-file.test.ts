// toolgate audit verify-file: what a file of an audit stream proves without the database.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expectResponse, makeKey, makeProject } from '../../server/test/support/make/make.ts';
import { makeLogStream } from '../../server/test/support/make/make-log-stream.ts';
import { s3Credentials, startS3Store } from '../../server/test/support/peers/s3-store.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { runToolgate } from './run-toolgate.ts';

const store = await startS3Store();
after(() => store.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: store.address });
const folder = mkdtempSync(join(tmpdir(), 'toolgate-audit-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Three files of one stream, in order. */
async function makeFiles(): Promise<Buffer[]> {
  const { id } = await makeProject(server);
  const bucket = 'audit-files';
  const fields = {
    kind: 's3',
    source: 'audit_log',
    endpoint: store.url,
    bucket,
    region: 'eu-central-1',
    flush_seconds: 5,
  };
  await makeLogStream(server, store, id, { ...fields, ...s3Credentials });
  for (let i = 0; i < 3; i += 1) {
    for (const _ of [1, 2]) await makeKey(server, id);
    server.advance(6_000);
    await server.runJobs();
  }
  return [...store.objects.values()];
}

const files = await makeFiles();
const textOf = (content: Buffer | undefined) => gunzipSync(content as Buffer).toString();
const linesOf = (content: Buffer | undefined) => textOf(content).trimEnd().split('\n');
const keys = join(folder, 'keys.json');
writeFileSync(keys, JSON.stringify(expectResponse(await server.api('GET', '/audit-keys'), 200)));

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const verify = (...args: string[]) => runToolgate(['audit', 'verify-file', '--json', '--keys', keys, ...args]);

test('a file is intact, compressed or not, with a copy of the keys or with those of the service', async () => {
  assert.equal(files.length, 3);
  const compressed = write('intact.gz', files[0] as Buffer);
  for (const file of [compressed, write('intact.ndjson', textOf(files[0]))]) {
    const { code, stdout } = await verify(file);
    const { is_intact, files: reports } = JSON.parse(stdout);
    assert.deepEqual([code, is_intact, reports[0].problem, reports[0].head.entries > 1], [0, true, null, true]);
  }
  const online = await runToolgate(['audit', 'verify-file', compressed, '--url', server.url]);
  assert.deepEqual([online.code, online.stdout.includes('intact')], [0, true]);
  const unreachable = await runToolgate(['audit', 'verify-file', compressed, '--url', 'http://127.0.0.1:1']);
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.stderr, /--keys/);
});

const replaced = (lines: string[], at: number, line: string) => lines.with(at, line);
const tampered: [string, (lines: string[]) => string[], RegExp][] = [
  [
    'a changed entry',
    (lines) => replaced(lines, 0, String(lines[0]).replace('root', 'toor')),
    /differ from the signed ones/,
  ],
  ['a removed entry', (lines) => lines.slice(1), /differ from the signed ones/],
  ['a repeated entry', (lines) => [lines[0] as string, ...lines], /differ from the signed ones/],
  [
    'entries in another order',
    ([one, two, ...rest]) => [two as string, one as string, ...rest],
    /differ from the signed ones/,
  ],
  ['no head', (lines) => lines.slice(0, -1), /does not end with a signed head/],
  [
    'a changed head',
    (lines) => replaced(lines, -1, String(lines.at(-1)).replace(/"seq":\d+/, '"seq":1')),
    /differs from the signed one/,
  ],
  [
    'the head of another file',
    (lines) => replaced(lines, -1, linesOf(files[1]).at(-1) as string),
    /differ from the signed ones/,
  ],
  [
    'a wrong signature',
    (lines) => replaced(lines, -1, String(lines.at(-1)).replace(/.{8}"\}$/, 'AAAAAAAA"}')),
    /signature is wrong/,
  ],
  ['a line that is not JSON', (lines) => replaced(lines, -1, 'no'), /not JSON/],
];
for (const [what, change, problem] of tampered) {
  test(`a file with ${what} is not intact`, async () => {
    const file = write('tampered.gz', gzipSync(`${change(linesOf(files[0])).join('\n')}\n`));
    const { code, stdout } = await verify(file);
    const { is_intact, files: reports } = JSON.parse(stdout);
    assert.deepEqual([code, is_intact], [1, false]);
    assert.match(reports[0].problem, problem);
  });
}

test('a file that another service signed is not intact', async () => {
  const other = write('other.json', JSON.stringify({ keys: [] }));
  const { code, stdout } = await runToolgate([
    'audit',
    'verify-file',
    write('a.gz', files[0] as Buffer),
    '--keys',
    other,
  ]);
  assert.equal(code, 1);
  assert.match(stdout, /not signed with one of the keys/);
});

test('files that follow each other are intact in any order, and a missing one between them is noticed', async () => {
  const [one, two, three] = files.map((content, i) => write(`${i}.gz`, content)) as [string, string, string];
  assert.equal((await verify(three, one, two)).code, 0);
  const missing = await verify(one, three);
  assert.equal(missing.code, 1);
  assert.match(JSON.parse(missing.stdout).gap, /missing between .*0\.gz and .*2\.gz/);
});

test('after a rotation a new key signs, old files still verify, and the old key signs nothing that is later', async () => {
  const { rotateAuditSigningKey } = server.app.secrets;
  const rotated = await rotateAuditSigningKey(server.app.database, new Date(server.app.now()).toISOString());
  const published = expectResponse(await server.api('GET', '/audit-keys'), 200);
  assert.deepEqual(
    published.keys.map(({ kid, retired_at }: any) => [kid, retired_at !== null]),
    [
      [rotated.kid, false],
      [rotated.retired, true],
    ],
  );
  store.objects.clear();
  const [later] = await makeFiles();
  const kidOf = (content: Buffer | undefined) => {
    const [header = ''] = JSON.parse(linesOf(content).at(-1) as string).signature.split('.');
    return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
  };
  assert.deepEqual([kidOf(files[0]), kidOf(later)], [rotated.retired, rotated.kid]);
  const check = (content: Buffer | undefined, given: object) =>
    runToolgate([
      ...['audit', 'verify-file', '--json', '--keys', write('rotated.json', JSON.stringify(given))],
      write('checked.gz', content as Buffer),
    ]);
  assert.equal((await check(files[0], published)).code, 0);
  assert.equal((await check(later, published)).code, 0);
  const early = { keys: published.keys.map((key: any) => ({ ...key, retired_at: '2020-01-01T00:00:00Z' })) };
  const refused = await check(later, early);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /already been replaced/);
});
