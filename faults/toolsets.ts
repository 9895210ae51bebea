// Ways to take a tool away from a key by its toolsets. Each must be obeyed by every replica like a revocation.

import type { Made, Revocation } from './revocation.ts';
import { asRoot, unique } from './tenant.ts';

type Narrowed = { tool_path: string; key_path: string; toolset_path: string };

export const toolsetRevocations: ((made: Made) => Promise<Revocation>)[] = [
  (made) =>
    ofToolset(made, 'a toolset is removed from a key', ({ key_path }) => ({
      method: 'PATCH',
      path: key_path,
      body: { toolset_ids: [] },
    })),
  (made) =>
    ofToolset(made, 'a tool is removed from a toolset', ({ toolset_path }) => ({
      method: 'PATCH',
      path: toolset_path,
      body: { tool_ids: [] },
    })),
  (made) =>
    ofToolset(made, 'a toolset is deleted and taken out everywhere', ({ toolset_path }) => ({
      method: 'DELETE',
      path: `${toolset_path}?detach=true`,
    })),
  (made) =>
    ofToolset(
      made,
      'a tag is removed from a tool',
      ({ tool_path }) => ({ method: 'PATCH', path: tool_path, body: { tags: [] } }),
      { is_tagged: true },
    ),
];

/** The tool is in the toolset by its id, or by its tag. */
async function ofToolset(
  { stage, tenant: { project_id, tool_id } }: Made,
  what: string,
  revoke: (narrowed: Narrowed) => Revocation['revoke'],
  { is_tagged = false } = {},
): Promise<Revocation> {
  const tool_path = `/custom-tools/${tool_id}`;
  if (is_tagged) await asRoot(stage, 'PATCH', tool_path, { body: { tags: ['orders'] }, project: project_id });
  const toolsets = `/projects/${project_id}/toolsets`;
  const chosen = is_tagged ? { tags: ['orders'] } : { tool_ids: [tool_id] };
  const toolset = await asRoot(stage, 'POST', toolsets, { body: { slug: unique('set'), name: what, ...chosen } });
  const keys = `/projects/${project_id}/api-keys`;
  const body = { name: unique('key'), permissions: ['read'], toolset_ids: [toolset.id] };
  const { id, key } = await asRoot(stage, 'POST', keys, { body });
  const paths = { tool_path, key_path: `${keys}/${id}`, toolset_path: `${toolsets}/${toolset.id}` };
  const probe = { path: `${tool_path}/execute`, key, body: { arguments: { n: what } } };
  return { what, probe, isAccepted: (status) => status === 200, revoke: revoke(paths) };
}
