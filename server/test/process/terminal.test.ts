// What a person sees who starts the server on a terminal. "script" of util-linux runs a command on a pseudo-terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { serverCommand, startProcess } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const ESCAPE = String.fromCharCode(27);

test('a start on a terminal writes colored lines for people, and no JSON', async () => {
  const command = ['script', '--quiet', '--flush', '--return', '--command', serverCommand().join(' '), '/dev/null'];
  const server = await startProcess({ TERM: 'xterm-256color' }, undefined, command);
  await server.api('GET', '/projects');
  const lines = () => server.output().split('\r\n');
  const refused = () => lines().find((line) => line.includes('/api/v1/projects ') && line.includes('INFO')) ?? '';
  await waitUntil(async () => refused() !== '', 60_000, 'the request is logged');
  assert.ok(refused().includes(`${ESCAPE}[33m401${ESCAPE}[39m`), refused());
  assert.match(stripVTControlCharacters(refused()), /INFO {2}GET \/api\/v1\/projects 401 \d+ ms .*request_id=req_\w+$/);
  assert.deepEqual(
    lines().filter((line) => line.startsWith('{')),
    [],
  );
  assert.ok(lines().some((line) => line.endsWith(`${server.url}/api/v1/mcp`)));
});
