import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { announceServer, findServer } from './running-server.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'toolgate-running-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const file = join(data_dir, 'server.json');
const listening = { host: '0.0.0.0', port: 3001, public_url: 'https://tools.example.com' };
const write = (content: object) => writeFileSync(file, JSON.stringify({ pid: process.pid, ...listening, ...content }));

test('a server is found while it runs, by its owner only, and not after it has stopped', async () => {
  writeFileSync(file, 'of a server that was killed', { mode: 0o644 });
  const retract = await announceServer({ data_dir, ...listening });
  assert.deepEqual(findServer(data_dir), { pid: process.pid, ...listening, listen_url: 'http://127.0.0.1:3001' });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), ['pid', 'host', 'port', 'public_url']);
  await retract();
  assert.deepEqual([findServer(data_dir), existsSync(file)], [null, false]);
});

test('a server that stops leaves the file of another one in the same folder', async () => {
  const retract = await announceServer({ data_dir, ...listening });
  write({ pid: process.ppid });
  await retract();
  assert.equal(findServer(data_dir)?.pid, process.ppid);
});

test('a folder that cannot be written does not prevent a start', async () => {
  const retract = await announceServer({ data_dir: join(data_dir, 'missing'), ...listening });
  await retract();
});

test('a server that was killed is not found', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  write({ pid });
  assert.equal(findServer(data_dir), null);
});

test('a file that names another machine, or is not complete, is as if it were not there', () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
  for (const host of ['127.0.0.1', '::', '::1', 'localhost', ...own]) {
    write({ host });
    assert.equal(findServer(data_dir)?.host, host);
  }
  const foreign = [
    'evil.example.com',
    '192.0.2.1',
    'evil.example.com/',
    '127.0.0.1@evil.example.com',
    '127.0.0.1:1@[::1',
  ];
  for (const wrong of [
    ...foreign.map((host) => ({ host })),
    { pid: 'x' },
    { pid: 0.5 },
    { port: '3001' },
    { port: 70_000 },
    { public_url: 'https://tools.example.com/setup' },
    { public_url: 7 },
  ]) {
    write(wrong);
    assert.equal(findServer(data_dir), null, JSON.stringify(wrong));
  }
  writeFileSync(file, '{"pid":');
  assert.equal(findServer(data_dir), null);
});
