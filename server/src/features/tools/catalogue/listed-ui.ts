// What the list of tools says about a tool for hosts of MCP Apps.

import { type Visibility, visibilities } from '@toolgate/contract/custom-tools/rules.ts';
import type { ToolSource } from '@toolgate/contract/custom-tools/tool-source.ts';

/** What a host gets of a tool's view in the list of tools; `view_uri` is null for a tool without one. */
export type ListedUi = { view_uri: string | null; visibility: readonly Visibility[] };

/** Null: hosts treat the tool as any other. */
export function listedUiOf(source: ToolSource | null): ListedUi | null {
  if (!source?.view && !source?.visibility) return null;
  return { view_uri: source.view?.uri ?? null, visibility: source.visibility ?? visibilities };
}
