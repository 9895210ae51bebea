// What body formats and files cost: calls with a form and with multipart compared with the same arguments as JSON, and downloads of a file
// compared with nginx, which passes on the same bytes from the customer's API.

import { post } from '../api.ts';
import type { Template } from '../load.ts';
import { startEmbeddedGateway } from './gateway.ts';
import { startNginx } from './nginx.ts';
import { callWith } from './requests.ts';
import { type AbsentRow, measure, type Row, type Target } from './rounds.ts';
import type { Site } from './site.ts';

const FILE_MB = 10;
/** Of 10 MB each. */
const DOWNLOADS = 100;

export const bodyRows = {
  operation: 'tools/call, body formats',
  json: 'JSON',
  form: 'form',
  multipart: 'multipart',
};
const downloadRows = { operation: `download of ${FILE_MB} MB`, ours: 'toolgate', nginx: 'nginx as a proxy' };

/** About 1 KB, as JSON: texts, numbers and a list. */
const given = {
  ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field_${i}`, `value ${i} of an order, in some words`])),
  amount: 4200,
  is_paid: true,
  tags: ['new', 'gift', 'express'],
};

export async function measureBodies(site: Site): Promise<Row[]> {
  const server = await startEmbeddedGateway(site, { from: site.seeded, to: 'bodies' });
  const { operation, ...formats } = bodyRows;
  const { keys: key } = site.unsigned;
  try {
    const targets: Target[] = [];
    for (const [body_format, name] of Object.entries(formats)) {
      const tool = `send_${body_format}`;
      const properties = Object.fromEntries(Object.keys(given).map((each) => [each, {}]));
      await post(server.url, '/custom-tools', key[0] as string, {
        ...{ name: tool, base_url: site.customer.origin, endpoint_path: '/orders', method: 'POST', body_format },
        input_schema: { type: 'object', properties },
      });
      targets.push({ operation, name, server, template: callWith({ key, tool: [tool] }, given) });
    }
    return await measure(site.bench, targets);
  } finally {
    await server.stop();
  }
}

/** The file of toolgate is in its PostgreSQL, sealed. */
export async function measureDownloads(site: Site): Promise<(Row | AbsentRow)[]> {
  const { operation, ours, nginx: proxied } = downloadRows;
  const server = await startEmbeddedGateway(site, { from: site.seeded, to: 'downloads' });
  const nginx = await startNginx(site.folder, site.customer);
  try {
    const { id, keys } = site.unsigned;
    const path = `/api/v1/projects/${id}/files`;
    const headers = { authorization: 'Bearer {{key}}' };
    const stored = await upload(server.url + path, keys[0] as string);
    const download = (path: string): Template => ({
      ...{ method: 'GET', path, headers, values: { key: keys.slice(0, 1) }, expected: 'ord_1' },
    });
    const target = { operation, warm_up: DOWNLOADS };
    const rows = await measure(site.bench, [
      { ...target, name: ours, server, template: download(`${path}/${stored}/content`) },
      ...(nginx ? [{ ...target, name: proxied, server: nginx, template: download(`/file/${FILE_MB}`) }] : []),
    ]);
    return nginx ? rows : [...rows, { operation, name: proxied, absent: 'not installed: apt-get install nginx' }];
  } finally {
    await server.stop();
    await nginx?.stop();
  }
}

async function upload(url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' };
  const response = await fetch(url, { method: 'POST', headers, body: 'ord_1 '.repeat((FILE_MB * 1e6) / 6) });
  if (response.status !== 201) throw new Error(`the upload: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
