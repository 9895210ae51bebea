// A custom tool, from its row. docs/design/tool-definitions.md explains why.

import { createHash } from 'node:crypto';
import {
  type CustomTool,
  type CustomToolDefinition,
  definitionDefaults,
  definitionNames,
  type ShownDefinition,
} from '@toolgate/contract/custom-tools/custom-tool.ts';
import { customToolEvents } from '@toolgate/contract/custom-tools/events.ts';
import { derivedAnnotations, listedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { Row } from '../../../database/tables.ts';
import { type EventChange, recorderOf } from '../../activity/events/record.ts';
import { isApproved } from './member-approval.ts';

export type ToolRow = Row<'custom_tools'>;

/** Only tools of MCP servers have a source. */
type Fields = { [K in Exclude<keyof CustomToolDefinition, 'source'>]: unknown } & { source?: unknown };

/** In a fixed order of fields, so that the same definition has the same hash. */
export function definitionOf(from: Fields): CustomToolDefinition {
  const fields = { ...from, source: from.source ?? null };
  return Object.fromEntries(definitionNames.map((name) => [name, fields[name]])) as CustomToolDefinition;
}

/** The fields of the first version of this service, always part of the hash. Do not add to it: see hashDefinition(). */
const firstNames = [
  'name',
  'title',
  'description',
  'base_url',
  'endpoint_path',
  'method',
  'timeout_ms',
  'headers',
  'context_in',
  'require_member',
  'input_schema',
  'output_schema',
  'annotations',
  'auth_strategy',
  'auth_config',
] as const;

/** Of a tool of an MCP server these are those of the server. */
const namesOfServer: readonly string[] = ['base_url', 'endpoint_path', 'method', 'timeout_ms'];

const laterNames = definitionNames.filter(
  (name) => name !== 'source' && !(firstNames as readonly string[]).includes(name),
);

/**
 * A field that came later is part of it only where it differs from its default: the hashes of definitions that were saved before stay
 * the same, so that no tool gets a version, and no approval ends, because of an upgrade. stored-definitions.json pins them.
 */
export function hashDefinition(definition: CustomToolDefinition): string {
  const { source } = definition;
  const first = source ? firstNames.filter((name) => !namesOfServer.includes(name)) : firstNames;
  const later = laterNames.filter((name) => !isDefault(name, definition[name]));
  const names = [...first, ...(source ? (['source'] as const) : []), ...later];
  const hashed = Object.fromEntries(names.map((name) => [name, definition[name]]));
  return createHash('sha256').update(JSON.stringify(hashed)).digest('hex');
}

const isDefault = (name: keyof CustomToolDefinition, value: unknown) =>
  JSON.stringify(value) === JSON.stringify((definitionDefaults as Partial<CustomToolDefinition>)[name]);

/** The title and all four hints, as models see them. */
export const annotationsOf = (row: ToolRow) => listedAnnotations(showDefinition(row as ToolRow & CustomToolDefinition));

/** The URL of a tool of an MCP server is that of the server. */
export function showDefinition<T extends CustomToolDefinition>(definition: T): T & ShownDefinition {
  const hidden = definition.source === null ? {} : { base_url: null, endpoint_path: null, method: null };
  return { ...definition, ...hidden } as T & ShownDefinition;
}

export function showTool(row: ToolRow, now: number): CustomTool {
  const { auth_secret, previous_auth_secret, previous_secret_ends_at: ends_at, ...stored } = row;
  const { stored_bytes: _bytes, imported_from: _document, is_read_only: _hint, ...shown } = stored;
  const isRotating = previous_auth_secret !== null && ends_at !== null && Date.parse(ends_at) > now;
  const tool = showDefinition(shown as Omit<typeof shown, keyof CustomToolDefinition> & CustomToolDefinition);
  return {
    object: 'custom_tool',
    ...tool,
    derived_annotations: derivedAnnotations(tool.annotations),
    listed_annotations: listedAnnotations(tool),
    is_approved: isApproved(row),
    has_auth_secret: auth_secret !== null,
    previous_secret_ends_at: isRotating ? ends_at : null,
  };
}

/** The tool in an event. */
export function summarizeTool(row: ToolRow) {
  const { id, project_id, name, is_enabled, require_member, version, definition_hash } = row;
  return { object: 'custom_tool' as const, id, project_id, name, is_enabled, require_member, version, definition_hash };
}

/**
 * The tool in the audit log. Without schemas, which may be long: definition_hash shows every change. Only the names of fixed
 * headers and arguments: a value may be a credential.
 */
export function auditTool(row: ToolRow, now: number): object {
  const { input_schema: _input, output_schema: _output, ...shown } = showTool(row, now);
  return { ...shown, headers: Object.keys(row.headers), fixed_arguments: Object.keys(row.fixed_arguments) };
}

/** Records the events of tools. They carry a summary: a whole definition would be too large for every receiver. */
export const { recordChanges } = recorderOf(customToolEvents);

export type ToolChanged = EventChange<typeof customToolEvents>;
