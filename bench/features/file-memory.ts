// npm run bench -- file-memory: how much memory ten files of 25 MB at the same time take, in each direction, each in a server that has
// done nothing else. What is in use is a few MB: the rest are buffers that Node has not freed yet.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import { post, ROOT_KEY } from '../api.ts';
import { startCustomer } from '../customer.ts';
import { finish, report } from '../measure.ts';
import { main, residentMb, startChild, takePeakMb } from '../processes.ts';

const FILES = 10;
const MAX_MB = 60;

const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(folder, 0o755);
const customer = await startCustomer(folder);

/** All of them on one data folder. */
const start = () =>
  startChild(main, {
    TOOLGATE_DATA_DIR: join(folder, 'data'),
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_EGRESS_ALLOW: customer.address,
    TOOLGATE_LOG_LEVEL: 'error',
    NODE_EXTRA_CA_CERTS: customer.authority_file,
  });

async function send(url: string, init: RequestInit, key: string): Promise<Response> {
  const response = await fetch(`${url}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

const bytes = new Uint8Array(MAX_FILE_BYTES);

async function upload(url: string, { id, key }: Made): Promise<string> {
  const init = { method: 'POST', headers: { 'content-type': 'application/pdf' }, body: bytes };
  const response = await send(`${url}/api/v1/projects/${id}/files`, init, key);
  return ((await response.json()) as { id: string }).id;
}

async function download(url: string, { id, key, file_id }: Made): Promise<void> {
  const { body } = await send(`${url}/api/v1/projects/${id}/files/${file_id}/content`, {}, key);
  for await (const _ of body as ReadableStream<Uint8Array>);
}

async function call(url: string, tool: string, given: object, { key }: Made): Promise<void> {
  const body = JSON.stringify({ arguments: given });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  await (await send(`${url}/api/v1/custom-tools/${tool}/execute`, init, key)).text();
}

type Made = { id: string; key: string; file_id: string };

/** A project with a file, and two tools. */
async function make(url: string): Promise<Made> {
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', plan: 'enterprise' });
  const permissions = ['admin', 'write'];
  const { key } = await post(url, `/projects/${id}/api-keys`, ROOT_KEY, { name: 'bench', permissions });
  const properties = { report: { type: 'string', format: 'file' } };
  const common = { base_url: customer.origin, timeout_ms: 55_000 };
  await post(url, '/custom-tools', key, {
    ...{ ...common, name: 'send_file', endpoint_path: '/orders', body_format: 'multipart' },
    input_schema: { type: 'object', properties },
  });
  await post(url, '/custom-tools', key, {
    ...{ ...common, name: 'return_file', endpoint_path: '/file/25', method: 'GET' },
    input_schema: { type: 'object' },
  });
  return { id, key, file_id: await upload(url, { id, key, file_id: '' }) };
}

const directions: Record<string, (url: string, made: Made) => Promise<unknown>> = {
  uploads: upload,
  'calls that return a file': (url, made) => call(url, 'return_file', {}, made),
  downloads: download,
  'calls that send a file': (url, made) => call(url, 'send_file', { report: made.file_id }, made),
};

try {
  const first = await start();
  const made = await make(first.url);
  await first.stop();
  for (const [name, run] of Object.entries(directions)) {
    const server = await start();
    takePeakMb(server.pid);
    const before = residentMb(server.pid);
    await Promise.all(Array.from({ length: FILES }, () => run(server.url, made)));
    report(`${FILES} ${name} of 25 MB at the same time: memory`, takePeakMb(server.pid) - before, ' MB', MAX_MB);
    await server.stop();
  }
} finally {
  await customer.stop();
  rmSync(folder, { recursive: true, force: true });
}
finish();
