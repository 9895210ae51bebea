// What a scenario needs of the service: a project with a key, a tool and a webhook, made with the root key.

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

/** Sends one request to the first replica that serves, with the root key unless another is given. Throws unless it succeeds. */
export async function asRoot(
  { replicas }: Pick<Stage, 'replicas'>,
  method: string,
  path: string,
  { body, project, key = ROOT_KEY }: { body?: unknown; project?: string; key?: string } = {},
): Promise<any> {
  const replica = replicas.find(({ is_serving }) => is_serving) ?? (replicas[0] as Replica);
  const response = await fetch(`${replica.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(project === undefined ? {} : { 'x-project-id': project }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
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
