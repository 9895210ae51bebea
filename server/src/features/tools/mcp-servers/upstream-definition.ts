// The definition of a tool as an MCP server lists it, and the tool of the project that is made of it.

import { createHash } from 'node:crypto';
import { type CustomToolDefinition, definitionDefaults } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { contradicts, hintNames, type SetAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import { type Visibility, visibilities } from '@toolgate/contract/custom-tools/rules.ts';
import type { SourceView, ToolSource } from '@toolgate/contract/custom-tools/tool-source.ts';
import type { DefinitionWarning } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { type ToolView, VIEW_PIN, type ViewCsp } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { isStorableJson } from '../../../database/storable-text.ts';
import { isObject } from '../../../mcp-client/message.ts';
import { findInvalidMirror } from '../../../mcp-client/mirrored-headers.ts';
import { checkSchema } from '../catalogue/check-schema.ts';
import type { ServerRow } from './mcp-server.ts';

export type UpstreamDefinition = Record<string, unknown>;

const MAX_DESCRIPTION = 8_192;
const MAX_TITLE = 128;

/** What keeps it from being approved. */
export function definitionProblems(definition: UpstreamDefinition): DefinitionWarning[] {
  const { inputSchema, description } = definition;
  const problems: DefinitionWarning[] = [];
  if (!isStorableJson(definition)) problems.push({ code: 'definition_not_supported', path: '' });
  if (description !== undefined && (typeof description !== 'string' || description.length > MAX_DESCRIPTION))
    problems.push({ code: 'definition_not_supported', path: '/description' });
  const input = checkSchema(inputSchema, 'upstream');
  if (input) problems.push({ code: 'schema_not_supported', path: pathOf('/inputSchema', input.field) });
  // Clients must not call such a tool.
  const mirror = isObject(inputSchema) ? findInvalidMirror(inputSchema) : null;
  if (mirror !== null) problems.push({ code: 'schema_not_supported', path: pathOf('/inputSchema', mirror) });
  const output_schema = outputSchemaOf(definition);
  const output = output_schema && checkSchema(output_schema, 'output');
  if (output) problems.push({ code: 'schema_not_supported', path: pathOf('/outputSchema', output.field) });
  return problems;
}

const pathOf = (start: string, field: string) => (field === '' ? start : `${start}/${field.replaceAll('.', '/')}`);

/** Clients before 2026-07-28 refuse the whole list over one that is not an object: such a schema is not listed. */
function outputSchemaOf({ outputSchema }: UpstreamDefinition): Record<string, unknown> | null {
  return isObject(outputSchema) && outputSchema.type === 'object' ? outputSchema : null;
}

/** Those that are booleans. */
export function hintsOf({ annotations }: UpstreamDefinition): SetAnnotations {
  if (!isObject(annotations)) return {};
  return Object.fromEntries(
    hintNames.flatMap((name) => (typeof annotations[name] === 'boolean' ? [[name, annotations[name]]] : [])),
  );
}

/** The fields of a tool that come from the definition; a change of it changes only these. */
export type UpstreamFields = Pick<
  CustomToolDefinition,
  'title' | 'description' | 'input_schema' | 'output_schema' | 'annotations'
>;

export function fieldsOf(definition: UpstreamDefinition): UpstreamFields {
  const { title, description, inputSchema, annotations } = definition;
  const hints = hintsOf(definition);
  // Between two hints that contradict each other, the careful one counts.
  if (contradicts(hints)) delete hints.readOnlyHint;
  const hinted = isObject(annotations) ? textOf(annotations.title) : null;
  return {
    title: textOf(title) ?? hinted,
    description: typeof description === 'string' ? description : null,
    input_schema: inputSchema as Record<string, unknown>,
    output_schema: outputSchemaOf(definition),
    annotations: Object.keys(hints).length > 0 ? hints : null,
  };
}

const textOf = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_TITLE ? value : null;

/** The view that a definition was pinned with, at a sync. */
export function viewOf({ _meta }: UpstreamDefinition): ToolView | null {
  return isObject(_meta) ? ((_meta[VIEW_PIN] as ToolView | undefined) ?? null) : null;
}

/** Null: models and apps. */
function visibilityOf({ _meta }: UpstreamDefinition): Visibility[] | null {
  const given = isObject(_meta) && isObject(_meta.ui) ? _meta.ui.visibility : null;
  if (!Array.isArray(given)) return null;
  const named = visibilities.filter((each) => given.includes(each));
  return named.length === 1 ? named : null;
}

/** Where the tool comes from, with what hosts of MCP Apps get of it. */
export function sourceOf({ id, slug }: Pick<ServerRow, 'id' | 'slug'>, definition: UpstreamDefinition): ToolSource {
  const upstream_name = definition.name as string;
  const visibility = visibilityOf(definition);
  const view = viewOf(definition);
  return {
    kind: 'mcp',
    mcp_server_id: id,
    upstream_name,
    ...(visibility && { visibility }),
    ...(view?.sha256 && view.csp ? { view: servedView(slug, upstream_name, { ...view, csp: view.csp }) } : {}),
  };
}

const HASH_LENGTH = 12;

/** The hash in the URI is of all that hosts get, so that they read it again when any of it changes. */
function servedView(
  slug: string,
  upstream_name: string,
  view: Pick<ToolView, 'sha256' | 'prefers_border'> & { csp: ViewCsp },
): SourceView {
  const { connect_domains, resource_domains } = view.csp;
  const served = { csp: { connect_domains, resource_domains }, prefers_border: view.prefers_border };
  const sha256 = view.sha256 as string;
  const hash = createHash('sha256')
    .update(JSON.stringify([sha256, served]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  return { uri: `ui://${slug}/${encodeURIComponent(upstream_name)}/${hash}`, sha256, ...served };
}

/** A new tool of the project. */
export function toolOf(
  server: Pick<ServerRow, 'id' | 'slug' | 'url' | 'timeout_ms' | 'auth_strategy'>,
  name: string,
  definition: UpstreamDefinition,
): CustomToolDefinition {
  const { origin, pathname } = new URL(server.url);
  return {
    ...definitionDefaults,
    name,
    ...fieldsOf(definition),
    base_url: origin,
    endpoint_path: pathname,
    timeout_ms: server.timeout_ms,
    require_member: server.auth_strategy === 'member_oauth',
    source: sourceOf(server, definition),
  };
}
