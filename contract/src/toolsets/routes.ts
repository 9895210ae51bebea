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
      'Names a part of the tools of the project: some by their ids, and every tool that has one of the tags. It narrows nothing by itself. Assign it with `toolset_ids` to an API key, integration, OAuth client or OAuth provider, or let clients connect to `/api/v1/mcp/toolsets/{slug}`. A project has at most 100.',
    body: newToolset,
    answer: toolset,
    status: 201,
    errors: ['slugTaken', 'nameTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
  listToolsets: {
    method: 'GET',
    path: '/projects/:project_id/toolsets',
    access: 'read',
    tag,
    summary: 'List the toolsets, newest first',
    description: 'All toolsets of the project, with how many tools each contains now.',
    query: pageQuery,
    answer: pageOf(toolset),
  },
  getToolset: {
    method: 'GET',
    path: '/projects/:project_id/toolsets/:toolset_id',
    access: 'read',
    tag,
    summary: 'Read a toolset',
    description: 'One toolset with the tools and tags that were chosen, and how many tools that makes.',
    answer: toolset,
  },
  updateToolset: {
    method: 'PATCH',
    path: '/projects/:project_id/toolsets/:toolset_id',
    access: 'write',
    tag,
    summary: 'Change a toolset',
    description:
      'Fields that are left out stay as they are; the slug never changes. Everyone who is narrowed to the toolset sees the change within a second. Send `expected_updated_at` so that two people who edit it do not overwrite each other.',
    body: toolsetChange,
    answer: toolset,
    errors: ['nameTaken', 'toolsetChanged'],
  },
  deleteToolset: {
    method: 'DELETE',
    path: '/projects/:project_id/toolsets/:toolset_id',
    access: 'write',
    tag,
    summary: 'Delete a toolset',
    description:
      'Refused with 409 while it is assigned. With `detach=true` it is first taken out everywhere; a list that becomes empty stays empty, so that nobody sees more than before.',
    query: z.strictObject({ detach: booleanFilter('Take it out of everything that it is assigned to') }),
    answer: null,
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
    summary: 'Explain which tools a caller sees',
    description:
      'One entry for each tool of the project, newest first: whether the caller can list and call it, and which rule hides it if not. Name exactly one caller.',
    query: effectiveToolQuery,
    answer: pageOf(effectiveTool),
  },
});

export const toolsets = defineResource({
  chapters: { Toolsets: 'Parts of the tools, to which keys, apps and people can be narrowed' },
  routes: { ...toolsetRoutes, ...effectiveToolRoutes },
  events: toolsetEvents,
});
