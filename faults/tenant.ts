// What a scenario needs of the service: a project with a key, a tool and a webhook, made with the root key.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from './replica.ts';
import { ROOT_KEY, type Stage } from './stage.ts';

export type Tenant = {
  project_id: string;
  /** With the permission admin. */
  key: string;
  tool_id: string;
  tool_path: string;
  webhook_id: string;
  hook_path: string;
};

let count = 0;
export function unique(word: string): string {
  count += 1;
  return `${word}-${count}`;
}

const PREPARED_WITHIN_MS = 30_000;
const RETRY_MS = 200;

type Options = { body?: unknown; project?: string; key?: string };

/** To prepare and to read back: sends one request, with the root key unless another is given, until it succeeds. */
export async function asRoot(
  { replicas }: Pick<Stage, 'replicas'>,
  method: string,
  path: string,
  { body, project, key = ROOT_KEY }: Options = {},
): Promise<any> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(project === undefined ? {} : { 'x-project-id': project }),
  };
  for (const deadline = performance.now() + PREPARED_WITHIN_MS; ; await sleep(RETRY_MS)) {
    const replica = replicas.find(({ is_serving }) => is_serving) ?? (replicas[0] as Replica);
    const text_body = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${replica.url}/api/v1${path}`, { method, headers, ...text_body });
    const text = await response.text();
    if (response.ok) return text === '' ? null : JSON.parse(text);
    if (response.status !== 503 || performance.now() > deadline)
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }
}

export async function makeTenant(stage: Stage, fields: object = {}): Promise<Tenant> {
  const { url } = stage.upstreams.good;
  const [tool_path, hook_path] = [`/${unique('tool')}`, `/${unique('hook')}`];
  const make = (path: string, body: object, project?: string) =>
    asRoot(stage, 'POST', path, { body, ...(project === undefined ? {} : { project }) });
  const { id } = await make('/projects', { name: unique('project'), plan: 'enterprise', ...fields });
  const { key } = await make(`/projects/${id}/api-keys`, { name: 'client', permissions: ['admin'] });
  const definition = { base_url: url, endpoint_path: tool_path, input_schema: { type: 'object' } };
  const tool = await make('/custom-tools', { name: 'order', ...definition }, id);
  const webhook = await make(`/projects/${id}/webhooks`, { url: `${url}${hook_path}`, events: ['api_key.created'] });
  return { project_id: id, key, tool_id: tool.id, tool_path, webhook_id: webhook.id, hook_path };
}

/** All pages of a list, newest first. */
export async function listAll(stage: Pick<Stage, 'replicas'>, path: string): Promise<any[]> {
  const all: any[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: any = await asRoot(stage, 'GET', `${path}?limit=100${query}`);
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}
