// Tools, toolsets and what they are assigned to, for tests and screenshots: a shop with staff, customers and a public client.

import type { Dashboard } from './open-browser.ts';

export const shopTools = {
  get_order: { method: 'GET', tags: ['orders'], readOnlyHint: true },
  list_orders: { method: 'GET', tags: ['orders'], readOnlyHint: true },
  refund_order: { method: 'POST', tags: ['orders', 'money'], destructiveHint: true },
  find_product: { method: 'GET', tags: ['catalogue'], readOnlyHint: true },
  opening_hours: { method: 'GET', tags: [], readOnlyHint: true },
  delete_product: { method: 'DELETE', tags: ['catalogue'], destructiveHint: true },
} as const;

type ToolName = keyof typeof shopTools;
type Api = Dashboard['api'];

export type ToolsetSamples = {
  tools: Record<ToolName, string>;
  toolsets: Record<'support' | 'customers' | 'everyone', { id: string; name: string; slug: string }>;
};

export async function addTools(api: Api): Promise<Record<ToolName, string>> {
  const ids: Record<string, string> = {};
  for (const [name, { method, tags, ...annotations }] of Object.entries(shopTools)) {
    const properties = { order_id: { type: 'string', description: 'For example A-1001' } };
    const { id } = await api('POST', '/custom-tools', {
      name,
      description: `Does what its name says: ${name.replace('_', ' ')}.`,
      base_url: 'https://shop.invalid',
      endpoint_path: `/${name}`,
      method,
      tags,
      annotations,
      input_schema: { type: 'object', properties },
    });
    ids[name] = id;
  }
  return ids as Record<ToolName, string>;
}

export async function addToolsets({ api, project_id }: Dashboard): Promise<ToolsetSamples> {
  const tools = await addTools(api);
  const create = (body: object) => api('POST', `/projects/${project_id}/toolsets`, body);
  const support = await create({
    ...{ name: 'Support staff', slug: 'support', description: 'Tools for support staff', grant: 'on_request' },
    tags: ['orders'],
  });
  const customers = await create({
    ...{ name: 'Customers', slug: 'customers', description: 'Read your own orders', grant: 'baseline' },
    ...{ tags: ['orders'], only: 'read_only' },
  });
  const everyone = await create({
    ...{ name: 'Everyone', slug: 'everyone', exposure: 'search' },
    tool_ids: [tools.find_product, tools.opening_hours, tools.get_order],
    pinned_tool_ids: [tools.opening_hours],
  });
  return { tools, toolsets: { support, customers, everyone } };
}
