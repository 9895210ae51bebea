// The response of an import: what became of each operation, and of the tools that the project has already.

import { derivedAnnotations, listedAnnotations, type SetAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { ImportedTool, ToolImport } from '@toolgate/contract/custom-tools/tool-import.ts';
import type { ToolRow } from '../catalogue/tool.ts';
import { proposeDrop } from './propose-drop.ts';

export type Outcome = Pick<ToolImport, 'created' | 'updated' | 'unchanged' | 'skipped'>;

export type ShownRow = Pick<
  ToolRow,
  | 'id'
  | 'name'
  | 'title'
  | 'method'
  | 'base_url'
  | 'endpoint_path'
  | 'annotations'
  | 'is_enabled'
  | 'version'
  | 'definition_hash'
> & { auth_strategy: string; has_output_schema: boolean };

export function showRow(row: ShownRow): ImportedTool {
  const { id, name, method, base_url, endpoint_path, is_enabled, version, definition_hash, has_output_schema } = row;
  const auth_strategy = row.auth_strategy as ImportedTool['auth_strategy'];
  const annotations = row.annotations as SetAnnotations | null;
  return {
    ...{ object: 'custom_tool', id, name, method, base_url, endpoint_path, auth_strategy },
    ...{ is_enabled, version, definition_hash, tags: [], has_output_schema, proposed_drop: [] },
    derived_annotations: derivedAnnotations(annotations),
    listed_annotations: listedAnnotations({ ...row, annotations }),
  };
}

/** Nothing is proposed for a tool that has a `response` already: somebody decided. */
export function showImported(row: ToolRow): ImportedTool {
  const shown = showRow({ ...row, has_output_schema: row.output_schema !== null });
  return { ...shown, proposed_drop: row.response === null ? proposeDrop(row.output_schema) : [] };
}

/** Where the operation of a tool is in the document, and its tags there. By the tool's name. */
export type Places = ReadonlyMap<string, { at: number; tags: string[] }>;

export function inDocumentOrder<T extends ImportedTool>(tools: T[], places: Places): T[] {
  const at = ({ name }: T) => places.get(name)?.at ?? 0;
  return tools
    .toSorted((one, other) => at(one) - at(other))
    .map((tool) => ({ ...tool, tags: places.get(tool.name)?.tags ?? [] }));
}
