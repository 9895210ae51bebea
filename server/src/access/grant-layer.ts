// What a person granted to an OAuth client, as a layer: toolsets that are scopes, each since the time of its approval (contract 15).
// A grant never grows by itself: a tool that can change something and joined later has to be approved.

import { type ToolsetGrant, toolScope, toolsetScope } from '@toolgate/contract/toolsets/rules.ts';

/** A toolset that is a scope. */
export type ScopeToolset = { id: string; slug: string; grant: Exclude<ToolsetGrant, 'never'> };

/** The toolsets of a grant as they are stored: when each was approved. Null: every tool. */
export type ApprovedToolsets = Readonly<Record<string, string>> | null;

export type GrantLayer = {
  /** Since when it has each toolset; epoch milliseconds. */
  held: ReadonlyMap<string, number>;
  /** What a person can grant. None: the scope `mcp` is every tool. */
  scopes: readonly ScopeToolset[];
};

/** The toolsets that a tool is in. The value is since when it can change something there, null if it only reads. */
export type ToolsetsOfTool = ReadonlyMap<string, number | null>;

type Grant = { toolsets: ApprovedToolsets; created_at: string };

/** `only`: the toolsets that a token was narrowed to. Null: the grant narrows nothing. */
export function grantLayer(grant: Grant, scopes: readonly ScopeToolset[], only: readonly string[] | null) {
  // A token that was narrowed stays so, also when its toolsets are no scopes any more.
  if (grant.toolsets === null && scopes.length === 0 && only === null) return null;
  const approved = approvedOf(grant, scopes);
  const held = scopes.flatMap(({ id }): [string, number][] => {
    const at = approved[id];
    return at === undefined || (only && !only.includes(id)) ? [] : [[id, Date.parse(at)]];
  });
  return { held: new Map(held), scopes } satisfies GrantLayer;
}

/** A grant that was made when `mcp` was every tool has every baseline toolset. */
function approvedOf(
  { toolsets, created_at }: Grant,
  scopes: readonly ScopeToolset[],
): Readonly<Record<string, string>> {
  if (toolsets !== null) return toolsets;
  return Object.fromEntries(scopes.filter(({ grant }) => grant === 'baseline').map(({ id }) => [id, created_at]));
}

/** Whether a tool is new to who approved a toolset at this time. */
const isNewTool = (writable_since: number | null, approved_at: number) =>
  writable_since !== null && writable_since > approved_at;

export function isGranted({ held }: GrantLayer, toolsets: ToolsetsOfTool): boolean {
  for (const [id, approved_at] of held) {
    const since = toolsets.get(id);
    if (since !== undefined && !isNewTool(since, approved_at)) return true;
  }
  return false;
}

/** The scopes to ask for, so that a tool which is not granted can be called; null if no scope has it. */
export function missingScopes({ held, scopes }: GrantLayer, name: string, toolsets: ToolsetsOfTool): string[] | null {
  if (scopes.length === 0) return ['mcp', toolScope(name)];
  const having = scopes.filter(({ id }) => toolsets.has(id)).toSorted(byScope);
  // In a toolset that was approved, only the tool is new, so it is asked for rather than another toolset. Without its name, a
  // client that has the scope of the toolset would not ask again.
  const approved = having.find(({ id }) => held.has(id));
  if (approved) return ['mcp', toolsetScope(approved.slug), toolScope(name)];
  return having[0] ? ['mcp', toolsetScope(having[0].slug)] : null;
}

/** Baseline ones first: they ask for the least. */
function byScope(a: ScopeToolset, b: ScopeToolset): number {
  if (a.grant !== b.grant) return a.grant === 'baseline' ? -1 : 1;
  return a.slug < b.slug ? -1 : 1;
}

/** The scopes of the toolsets that it has, for the response with a token. */
export const heldScopes = ({ held, scopes }: GrantLayer): string[] =>
  scopes
    .filter(({ id }) => held.has(id))
    .map(({ slug }) => toolsetScope(slug))
    .sort();
