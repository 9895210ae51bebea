// What narrows a caller: a key, an integration, an OAuth client and so on may each see only some toolsets. A caller sees a tool
// if every layer does, so a layer only ever narrows (contract 15). docs/design/toolsets.md explains why.

import type { LayerName } from '@toolgate/contract/toolsets/rules.ts';

/**
 * `url`: the URL of the MCP endpoint names a toolset. `grant`: all toolsets that a person can grant; grant-layer.ts says which of
 * them are granted.
 */
export type Layer = { name: LayerName | 'url'; toolset_ids: readonly string[] };

/** No layer: every tool of the project. */
export type Layers = readonly Layer[];

export const EVERY_TOOL: readonly Layer[] = [];

/** Leaves out what does not narrow. */
export function layersOf(toolset_ids: Partial<Record<Layer['name'], readonly string[] | null>>): Layers {
  const layers = Object.entries(toolset_ids).flatMap(([name, ids]) =>
    ids ? [{ name: name as Layer['name'], toolset_ids: ids }] : [],
  );
  return layers.length === 0 ? EVERY_TOOL : layers;
}

/** Returns the first layer that does not see a tool which is in these toolsets, or null. */
export function refusingLayer(layers: Layers, toolsets_of_tool: { has(id: string): boolean }): Layer['name'] | null {
  for (const { name, toolset_ids } of layers)
    if (!toolset_ids.some((toolset_id) => toolsets_of_tool.has(toolset_id))) return name;
  return null;
}

/** The same for layers that let the same tools through. */
export function layersKey(layers: Layers): string {
  return layers.map(({ toolset_ids }) => ` ${toolset_ids.toSorted().join()}`).join('');
}

/** Whether `narrow` sees no tool that `wide` does not see, whatever is in the toolsets. */
export function isWithin(narrow: Layers, wide: Layers): boolean {
  return wide.every((layer) =>
    narrow.some(({ toolset_ids }) => toolset_ids.every((toolset_id) => layer.toolset_ids.includes(toolset_id))),
  );
}
