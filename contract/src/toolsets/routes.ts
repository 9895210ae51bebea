// /projects/{id}/toolsets: create, list, read, update, delete; and which tools a caller sees.

import { z } from 'zod';
import { booleanFilter, pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { effectiveTool, effectiveToolQuery } from './effective-tool.ts';
import { toolsetEvents } from './events.ts';
import { newToolset, toolset, toolsetChange } from './toolset.ts';

const tag = 'Toolsets';

export const toolsetRoutes = defineRoutes({
  createToolset: {
    method: 'POST',
    path: '/projects/:project_id/toolsets',
    access: 'write',
    tag,
    summary: 'Create a toolset',
    description:
      "Groups some of the project's tools: by their ids, and by tags. A toolset restricts nothing by itself. To use it, assign it with `toolset_ids` to an API key, integration, OAuth client or OAuth provider, or have clients connect to `/api/v1/mcp/toolsets/{slug}`. A project can have at most 100.",
    body: newToolset,
    response: toolset,
    status: 201,
    errors: ['slugTaken', 'nameTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
  listToolsets: {
    method: 'GET',
    path: '/projects/:project_id/toolsets',
    access: 'read',
    tag,
    summary: 'List toolsets, newest first',
    description: 'All toolsets of the project, with how many tools each one contains now.',
    query: pageQuery,
    response: pageOf(toolset),
  },
  getToolset: {
    method: 'GET',
    path: '/projects/:project_id/toolsets/:toolset_id',
    access: 'read',
    tag,
    summary: 'Get a toolset',
    description: 'One toolset with its chosen tools and tags, and how many tools it contains.',
    response: toolset,
  },
  updateToolset: {
    method: 'PATCH',
    path: '/projects/:project_id/toolsets/:toolset_id',
    access: 'write',
    tag,
    summary: 'Update a toolset',
    description:
      "Fields you leave out stay unchanged; the slug never changes. Everyone who is restricted to the toolset sees the change within a second. Send `expected_updated_at` so that two people who edit the toolset do not overwrite each other's changes.",
    body: toolsetChange,
    response: toolset,
    errors: ['nameTaken', 'toolsetChanged'],
  },
  deleteToolset: {
    method: 'DELETE',
    path: '/projects/:project_id/toolsets/:toolset_id',
    access: 'write',
    tag,
    summary: 'Delete a toolset',
    description:
      'Refused with 409 while the toolset is assigned. With `detach=true`, it is removed everywhere first; a list that becomes empty stays empty, so that nobody gains access.',
    query: z.strictObject({ detach: booleanFilter('Whether to remove it from everything it is assigned to') }),
    response: null,
    errors: ['toolsetInUse'],
  },
});

/** Who asks is told by the families of credentials, so another part of the server serves it. */
export const effectiveToolRoutes = defineRoutes({
  listEffectiveTools: {
    method: 'GET',
    path: '/projects/:project_id/effective-tools',
    access: 'read',
    tag,
    summary: 'Explain which tools a caller can use',
    description:
      'One entry per tool of the project, newest first: whether the caller can list and call it, and if not, which rule prevents it. Specify exactly one caller.',
    query: effectiveToolQuery,
    response: pageOf(effectiveTool),
  },
});

export const toolsets = defineResource({
  chapters: { Toolsets: 'Groups of tools that you can restrict keys, apps and people to' },
  routes: { ...toolsetRoutes, ...effectiveToolRoutes },
  events: toolsetEvents,
});
