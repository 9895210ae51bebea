// Which tools of the project a caller sees, and what hides the others: the answer to "why does the model not see it?".

import type { EffectiveTool } from '@toolgate/contract/toolsets/effective-tool.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import { type GrantLayer, grantLayer, isGranted, type ToolsetsOfTool } from '../../../access/grant-layer.ts';
import { type Layers, layersOf, refusingLayer } from '../../../access/layers.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { memberToolsets } from '../../members/member-sessions/member-toolsets.ts';
import { slugInResource } from '../../oauth/server/resource.ts';
import { findScopeToolsets, findToolsetIds } from '../../policies/toolsets/slugs.ts';
import { type CallerRef, pageOfToolsWithToolsets, selectCaller } from './store.ts';

/** From the query: each names a caller. */
export type CallerIds = Partial<Record<`${CallerRef['by']}_id`, string | undefined>>;

type Tool = {
  id: string;
  name: string;
  is_enabled: boolean;
  require_member: boolean;
  toolsets: Record<string, number | null> | null;
};

/** What narrows the caller. `grant`: null if nobody was asked for scopes, or they narrow nothing. */
type Narrowed = { layers: Layers; grant: GrantLayer | null; has_member: boolean; may_call_tools: boolean };

export async function explainTools(
  app: App,
  caller: Caller,
  ids: CallerIds,
  query: PageQuery,
): Promise<Page<EffectiveTool>> {
  const project = projectOf(caller);
  const project_id = project.id;
  const ref = readCaller(ids);
  const found = await selectCaller(app.database, project_id, ref);
  if (!found) throw refuse.notFound();
  const ofMember = found.claims && (await memberToolsets(app, project, found.claims, { holds_permit: true }));
  const url = await findUrlToolset(app, project, found.resource);
  const layers = layersOf({ ...found.toolsets, ...(ofMember && { member: ofMember.ids }), ...(url && { url }) });
  const made = ref.by === 'oauth_client' && !found.is_machine ? nextGrant(app) : found.grant;
  const scopes = made ? await findScopeToolsets(app, project, { holds_permit: true }) : [];
  const grant = made && grantLayer(made, scopes, made.only);
  const page = await pageOfToolsWithToolsets(app.database, project_id, query);
  const { may_call_tools } = found;
  const has_member = ref.by !== 'api_key' && !found.is_machine;
  const narrowed = { layers, grant, has_member, may_call_tools };
  return makePage(
    page,
    page.rows.map((tool) => explainTool(tool, narrowed)),
  );
}

/** The toolset of the URL that a grant is for. It may be gone: then a session sees nothing. */
async function findUrlToolset(app: App, project: Project, resource: string | null): Promise<string[] | null> {
  const slug = slugInResource(app.config.public_url, resource);
  if (slug === null) return null;
  const [id] = await findToolsetIds(app, project, [slug], { holds_permit: true });
  return id === undefined ? [] : [id];
}

/** For a person who signs in now with the scope `mcp`, and unticks nothing. */
const nextGrant = ({ now }: App) => ({ toolsets: null, created_at: new Date(now()).toISOString(), only: null });

function readCaller(ids: CallerIds): CallerRef {
  const given = Object.entries(ids).filter(([, id]) => id !== undefined);
  const [first] = given;
  if (first === undefined || given.length > 1)
    throw invalidField(given[1]?.[0] ?? 'api_key_id', 'must be the only caller: exactly one is required');
  const [name, id] = first;
  return { by: name.slice(0, -'_id'.length) as CallerRef['by'], id: id as string };
}

function explainTool(tool: Tool, narrowed: Narrowed): EffectiveTool {
  const { id: tool_id, name } = tool;
  const toolsets = new Map(Object.entries(tool.toolsets ?? {}));
  const refused_by = refusal(tool, toolsets, narrowed);
  return { tool_id, name, is_allowed: refused_by === null, refused_by, toolset_ids: [...toolsets.keys()].sort() };
}

function refusal(
  tool: Tool,
  toolsets: ToolsetsOfTool,
  { layers, grant, has_member, may_call_tools }: Narrowed,
): EffectiveTool['refused_by'] {
  if (!tool.is_enabled) return 'disabled';
  if (tool.require_member && !has_member) return 'requires_member';
  const layer = refusingLayer(layers, toolsets);
  // The URL that a session was asked for is a part of what was granted.
  const refused_by = layer === 'url' ? 'grant' : (layer as EffectiveTool['refused_by']);
  return refused_by ?? (!may_call_tools || (grant && !isGranted(grant, toolsets)) ? 'grant' : null);
}
