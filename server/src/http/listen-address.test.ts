import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { listenOnFreePort } from '../../test/support/servers/free-port.ts';
import { probeAddress } from './listen-address.ts';

for (const host of ['256.1.1.1', '192.0.2.1'])
  test(`HOST=${host} is refused in one sentence that says what to set`, async () => {
    const words = /^HOST ".*" is not an IP address of this machine \(\w+\): set HOST$/;
    await assert.rejects(probeAddress({ host, port: 0 }), { message: words });
  });

test('a port in use is refused with the settings to change', async () => {
  const taken = createServer();
  after(() => taken.close());
  const port = await listenOnFreePort(taken);
  const message = `127.0.0.1:${port} is already in use: set PORT or HOST`;
  await assert.rejects(probeAddress({ host: '127.0.0.1', port }), { message });
});
