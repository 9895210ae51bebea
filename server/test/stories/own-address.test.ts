// A public address that the server itself listens on is refused for tools and webhooks, unless the operator allows it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SendError } from '../../src/outbound/messages.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';

const port = await freePort();
const server = await startServer({ HOST: '198.41.0.4', PORT: String(port) });

test('nothing is sent to the address this server listens on', async () => {
  const sending = server.app.send({
    origin: `https://198.41.0.4:${port}`,
    path: '/',
    method: 'GET',
    headers: {},
    timeout_ms: 5_000,
    max_response_bytes: 1_000,
    isolation_key: 'prj_a',
  });
  await assert.rejects(sending, (error) => error instanceof SendError && error.kind === 'blocked');
});
