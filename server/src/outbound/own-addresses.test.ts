import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { ownAddresses } from './own-addresses.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1' }, { address: '::1' }],
  eth0: [{ address: '198.41.0.4' }, { address: '2606:4700:0:0::1' }],
  gone: undefined,
} as unknown as ReturnType<typeof networkInterfaces>;

test('a server that listens on one address is there only', () => {
  assert.deepEqual([...ownAddresses('198.41.0.4', 3000, interfaces)], ['198.41.0.4:3000']);
  assert.deepEqual([...ownAddresses('2606:4700:0::1', 3000, interfaces)], ['[2606:4700::1]:3000']);
});

for (const host of ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', 'tools.example.com']) {
  test(`a server that listens on ${host} is at every address of its machine`, () => {
    const own = ['127.0.0.1:3000', '[::1]:3000', '198.41.0.4:3000', '[2606:4700::1]:3000'];
    assert.deepEqual([...ownAddresses(host, 3000, interfaces)], own);
  });
}

test('the addresses of this very machine are read', () => {
  assert.ok(ownAddresses('0.0.0.0', 3000).has('127.0.0.1:3000') || Object.keys(networkInterfaces()).length === 0);
});
