// A program that prints the master keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const commandOf = (script: string, ...args: string[]) => JSON.stringify([process.execPath, '-e', script, ...args]);
const read = (command: string, more: Record<string, string> = {}) =>
  readConfig({ TOOLGATE_MASTER_KEY_COMMAND: command, DATABASE_URL: 'postgres://db/toolgate', ...more });

test('the keys that a program prints are used, and DATABASE_URL needs no others', () => {
  const { master_keys } = read(commandOf(`console.log('k1:${KEY},k2:${KEY}')`));
  assert.deepEqual(
    master_keys.map(({ id }) => id),
    ['k1', 'k2'],
  );
});

test('no shell interprets the arguments', () => {
  const script = `console.log(process.argv[1] === '$(id); *' ? 'k1:${KEY}' : 'wrong')`;
  assert.equal(read(commandOf(script, '$(id); *')).master_keys.length, 1);
});

test('both settings together, a command that is no list, and one that fails stop the start with the reason', () => {
  const secret = 'do-not-print-this';
  for (const [command, more, reason] of [
    [commandOf(''), { TOOLGATE_MASTER_KEYS: `k1:${KEY}` }, /both set/],
    ['vault kv get', {}, /JSON list/],
    ['[]', {}, /JSON list/],
    ['[1]', {}, /JSON list/],
    ['["a\\u0000b"]', {}, /JSON list/],
    ['["/no/such/program"]', {}, /cannot be run: ENOENT/],
    [commandOf('process.exit(3)'), {}, /status 3/],
    [commandOf(''), {}, /printed no key/],
    [commandOf(`console.log('${secret}')`), {}, /invalid/],
    [commandOf(`console.log('x'.repeat(100000))`), {}, /64 KiB/],
  ] as const)
    assert.throws(
      () => read(command, more),
      (error) => error instanceof ConfigError && reason.test(error.message) && !error.message.includes(secret),
      command,
    );
});
