// Spans and SIGTERM: what ended before is exported, and a collector that hangs does not keep the process.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCollector } from '../support/peers/otlp-collector.ts';
import { startProcess } from '../support/servers/start-process.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };

test('SIGTERM exports the spans that are buffered', async () => {
  const collector = await startCollector();
  after(() => collector.close());
  const server = await startProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  assert.equal((await server.api('GET', '/healthz', { headers })).status, 200);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  assert.deepEqual(
    collector.spans.filter(({ trace_id }) => trace_id === TRACE).map(({ name }) => name),
    ['GET /healthz'],
  );
});

test('a collector that does not respond delays the stop by 5 seconds at most', async () => {
  const collector = await startCollector({ hang: true });
  after(() => collector.close());
  const server = await startProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  assert.equal((await server.api('GET', '/healthz', { headers })).status, 200);
  const began = performance.now();
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  // 5 seconds, the drain time, and a busy machine; the exporter itself would try for 10.
  const waited = performance.now() - began;
  assert.ok(waited < 9_500, `${waited} ms`);
});
