// Which tools a toolset contains, as the server decides it, and about what their list costs a model.

import type { CustomTool, Toolset } from '@toolgate/sdk';

type Choice = Pick<Toolset, 'tool_ids' | 'tags' | 'only'>;
type Listing = Choice & Pick<Toolset, 'exposure' | 'pinned_tool_ids'>;

export type Reason =
  | { kind: 'picked' }
  | { kind: 'tag'; tag: string }
  /** It is chosen, but the toolset takes read-only tools only. */
  | { kind: 'not_read_only' }
  | { kind: 'not_chosen' };

/** Lists are looked up for every tool, so they are sets. */
export function memberTest({ tool_ids, tags, only }: Choice): (tool: CustomTool) => Reason {
  const picked = new Set(tool_ids);
  const wanted = new Set(tags);
  return ({ id, tags: ofTool, listed_annotations }) => {
    const tag = ofTool.find((each) => wanted.has(each));
    if (!picked.has(id) && tag === undefined) return { kind: 'not_chosen' };
    if (only === 'read_only' && !listed_annotations.readOnlyHint) return { kind: 'not_read_only' };
    return picked.has(id) || tag === undefined ? { kind: 'picked' } : { kind: 'tag', tag };
  };
}

export const isMember = ({ kind }: Reason) => kind === 'picked' || kind === 'tag';

/** The tools that a model gets with `tools/list`: enabled ones, and of a toolset that is searched only the pinned ones. */
export function listedTools(members: CustomTool[], { exposure, pinned_tool_ids }: Listing): CustomTool[] {
  const isListed = (id: string) => exposure === 'list' || pinned_tool_ids.includes(id);
  return members.filter(({ id, is_enabled }) => is_enabled && isListed(id));
}

/** A token is about four bytes of such text. */
const BYTES_PER_TOKEN = 4;
const encoder = new TextEncoder();

/** For the definitions as `tools/list` has them, without what is for the client alone. */
export function estimateTokens(tools: CustomTool[]): number {
  return Math.ceil(tools.reduce((sum, tool) => sum + bytesOf(tool), 0) / BYTES_PER_TOKEN);
}

/** Counted once: an editor asks again with every key that is pressed. */
const counted = new WeakMap<CustomTool, number>();

function bytesOf(tool: CustomTool): number {
  const bytes = counted.get(tool) ?? encoder.encode(listedDefinition(tool)).length;
  counted.set(tool, bytes);
  return bytes;
}

function listedDefinition(tool: CustomTool): string {
  const { name, title, description, input_schema, fixed_arguments, output_schema, listed_annotations } = tool;
  return JSON.stringify({
    name,
    title: title ?? undefined,
    description: description ?? undefined,
    inputSchema: withoutFixed(input_schema, fixed_arguments),
    outputSchema: output_schema ?? undefined,
    annotations: listed_annotations,
  });
}

/** A model is not told of arguments that the tool sets itself. */
function withoutFixed(schema: CustomTool['input_schema'], fixed: CustomTool['fixed_arguments']): object {
  const whole: Record<string, unknown> = schema ?? { type: 'object' };
  const { properties, required, ...rest } = whole;
  if (typeof properties !== 'object' || properties === null) return whole;
  const isShown = (name: unknown) => !Object.hasOwn(fixed, String(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isShown(name))),
    ...(Array.isArray(required) && { required: required.filter(isShown) }),
  };
}

/** Two digits are all that an estimate knows: "about 3,400". */
export function aboutTokens(tokens: number): string {
  const step = tokens < 100 ? 1 : 10 ** (Math.floor(Math.log10(tokens)) - 1);
  return `about ${(Math.round(tokens / step) * step).toLocaleString('en')} tokens`;
}
