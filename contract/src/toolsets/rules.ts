// The choices and limits of toolsets and tags. Without zod: the dashboard ships it to browsers.

export const TOOLSET_SLUG = /^[a-z][a-z0-9-]{0,39}$/;
export const TOOLSET_SLUG_RULE = 'must be 1 to 40 lowercase letters, digits or hyphens, and begin with a letter';

export const MAX_TOOLSETS = 100;
export const MAX_TOOLSET_DESCRIPTION = 512;
export const MAX_TOOLSET_TOOLS = 500;
export const MAX_TOOLSET_TAGS = 20;

/** Which of the chosen tools are in the set. */
export const toolsetFilters = ['read_only'] as const;

/** How a person who signs in by OAuth gets the tools: with the scope `mcp`, when asked for, or not at all. */
export const toolsetGrants = ['baseline', 'on_request', 'never'] as const;

export type ToolsetGrant = (typeof toolsetGrants)[number];

/** The scope of a toolset that can be granted. */
export const toolsetScope = (slug: string) => `tools:${slug}`;

/** Requested in addition to the scope of its toolset, for a tool that is new there. */
export const toolScope = (name: string) => `tool:${name}`;

/** Whether a model gets the tools in its list, or finds them by searching. */
export const toolsetExposures = ['list', 'search'] as const;

export const MAX_PINNED_TOOLS = 20;

/** The tools of a model that searches. No tool of a project may have one of these names beside a toolset that is searched. */
export const searchToolNames = ['search_tools', 'call_tool'] as const;

export const TOOL_TAG = /^[a-z0-9][a-z0-9_-]{0,39}$/;
export const TOOL_TAG_RULE = 'must be 1 to 40 lowercase letters, digits, _ or -, and begin with a letter or digit';
export const MAX_TOOL_TAGS = 10;

/** How many toolsets a key, integration, OAuth client or OAuth provider may have. */
export const MAX_ASSIGNED_TOOLSETS = 20;

export const MAX_MEMBER_RULES = 100;

/** The layers that narrow what a caller sees, in the order in which they are asked (contract 15). */
export const layerNames = ['key', 'integration', 'client', 'provider', 'member', 'grant'] as const;

export type LayerName = (typeof layerNames)[number];
