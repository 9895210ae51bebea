// A tool as the values of its form, and back. Schemas, headers and fixed arguments are text there.

import { confirmers, confirmFallbacks } from '@toolgate/contract/approvals/rules.ts';
import { contradicts, hintNames, type SetAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import { contextPlaces, DEFAULT_TIMEOUT_MS, setByServer, toolMethods } from '@toolgate/contract/custom-tools/rules.ts';
import type { CustomTool, CustomToolVersion, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { changedFields } from '../../ui/forms/changed-fields.ts';
import { optionsOf } from '../../ui/forms/options.ts';
import { required } from '../../ui/forms/schemas.ts';
import { certificateFields, certificateFieldsOf, certificateValuesOf } from '../certificates/field.tsx';
import { authFields, authFieldsOf, authValuesOf } from './auth-values.ts';
import { bodyFields, bodyFieldsOf, bodyValuesOf } from './body-values.ts';
import { headerLines, headersOf, headerText } from './header-lines.ts';
import { jsonText } from './json-text.ts';

export type ToolFields = Parameters<Toolgate['customTools']['create']>[0];

export const contexts = optionsOf(contextPlaces, {
  arguments: 'Among the arguments',
  headers: 'In X-Toolgate-*-Id headers',
});

export const isSigned = ({ auth_strategy }: CustomTool) => auth_strategy === 'hmac_signature';

/** The name of the signature doctor in the URL of a tool's page. */
export const SIGNATURE_DIALOG = 'signature-doctor';

/** Empty: it is derived from the method. */
const hint = z.enum(['', 'true', 'false']);

const optionalJson = z.union([z.literal(''), jsonText]);
const annotations = z
  .object({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
  .check(
    z.refine((given) => !contradicts(hintsOf({ annotations: given })), {
      path: ['destructiveHint'],
      error: 'A tool that is read only cannot be destructive',
    }),
  );

const fixedArguments = z
  .array(z.object({ name: required('Enter the name of the argument'), value: jsonText }))
  .check(
    z.refine((rows) => new Set(rows.map(({ name }) => name)).size === rows.length, 'Enter each argument only once'),
  );

export const toolSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  method: z.enum(toolMethods),
  base_url: z.string(),
  endpoint_path: z.string(),
  ...bodyFields,
  input_schema: jsonText,
  output_schema: optionalJson,
  ...authFields,
  ...certificateFields,
  require_member: z.boolean(),
  is_enabled: z.boolean(),
  timeout_ms: z.string(),
  headers: headerLines,
  context_in: z.enum(contextPlaces),
  annotations,
  fixed_arguments: fixedArguments,
  weight: z.string(),
  confirm: z.object({
    /** Empty: nobody. */
    by: z.enum(['', ...confirmers]),
    remember_seconds: z.string(),
    fallback: z.enum(confirmFallbacks),
  }),
});

export type ToolValues = z.infer<typeof toolSchema>;

const NEW_SCHEMA = { type: 'object', properties: {}, additionalProperties: false };
const indented = (value: unknown) => JSON.stringify(value, null, 2);

export function valuesOf(tool: CustomTool | null): ToolValues {
  return {
    name: tool?.name ?? '',
    title: tool?.title ?? '',
    description: tool?.description ?? '',
    method: tool?.method ?? 'GET',
    base_url: tool?.base_url ?? '',
    endpoint_path: tool?.endpoint_path ?? '',
    ...bodyValuesOf(tool),
    input_schema: indented(tool?.input_schema ?? NEW_SCHEMA),
    output_schema: tool?.output_schema ? indented(tool.output_schema) : '',
    ...authValuesOf(tool),
    ...certificateValuesOf(tool),
    require_member: tool?.require_member ?? false,
    is_enabled: tool?.is_enabled ?? true,
    timeout_ms: String(tool?.timeout_ms ?? DEFAULT_TIMEOUT_MS),
    headers: headerText(tool?.headers),
    context_in: tool?.context_in ?? 'arguments',
    annotations: {
      readOnlyHint: hintText(tool?.annotations?.readOnlyHint),
      destructiveHint: hintText(tool?.annotations?.destructiveHint),
      idempotentHint: hintText(tool?.annotations?.idempotentHint),
      openWorldHint: hintText(tool?.annotations?.openWorldHint),
    },
    fixed_arguments: Object.entries(tool?.fixed_arguments ?? {}).map(([name, value]) => ({
      name,
      value: JSON.stringify(value),
    })),
    weight: String(tool?.weight ?? 1),
    confirm: {
      by: tool?.confirm?.by ?? '',
      remember_seconds: String(tool?.confirm?.remember_seconds ?? 0),
      fallback: tool?.confirm?.fallback ?? 'link',
    },
  };
}

/** Everything that the API takes. */
export function fieldsOf(values: ToolValues, tool: CustomTool | null): ToolFields {
  const { encrypted_auth_secret, ...rest } = values;
  return {
    ...rest,
    title: values.title || null,
    description: values.description || null,
    output_schema: values.output_schema ? JSON.parse(values.output_schema) : null,
    timeout_ms: Number(values.timeout_ms),
    annotations: annotationsOf(values, tool),
    weight: Number(values.weight),
    confirm: confirmOf(values),
    ...requestFieldsOf(values),
    ...certificateFieldsOf(values),
    ...authFieldsOf(values),
  };
}

/** What determines the requests of the tool, beside its authentication. */
const requestValues = z.object({
  method: toolSchema.shape.method,
  base_url: toolSchema.shape.base_url,
  endpoint_path: toolSchema.shape.endpoint_path,
  ...bodyFields,
  headers: headerLines,
  context_in: toolSchema.shape.context_in,
  require_member: toolSchema.shape.require_member,
  input_schema: jsonText,
  fixed_arguments: fixedArguments,
});

const requestFieldsOf = (values: z.infer<typeof requestValues>) => ({
  base_url: values.base_url,
  endpoint_path: values.endpoint_path,
  method: values.method,
  ...bodyFieldsOf(values),
  headers: headersOf(values.headers),
  context_in: values.context_in,
  require_member: values.require_member,
  input_schema: JSON.parse(values.input_schema) as Record<string, unknown>,
  fixed_arguments: Object.fromEntries(values.fixed_arguments.map(({ name, value }) => [name, JSON.parse(value)])),
});

type RequestDefinition = Parameters<Toolgate['customTools']['previewDefinition']>[0]['definition'];
/** The same without the secret, for a preview; or the fields that keep it from being one. */
export function requestOf(values: ToolValues): { definition: RequestDefinition } | { wrong: string[] } {
  const { success, data, error } = requestValues.safeParse(values);
  if (!success) return { wrong: [...new Set(error.issues.map(({ path }) => String(path[0])))] };
  const { encrypted_auth_secret, ...auth } = authFieldsOf(values);
  return { definition: { ...requestFieldsOf(data), ...auth } };
}

/** In the order of the API. Only an approval of a user is reused. */
function confirmOf({ confirm: { by, remember_seconds, fallback } }: ToolValues): ToolFields['confirm'] {
  if (by === '') return null;
  return { by, remember_seconds: by === 'user' ? Number(remember_seconds) : 0, fallback };
}

const hintText = (value: boolean | undefined) => (value === undefined ? '' : value ? 'true' : 'false');

/** Those that are set. */
export function hintsOf({ annotations }: Pick<ToolValues, 'annotations'>): SetAnnotations {
  const set = hintNames.filter((name) => annotations[name] !== '');
  return Object.fromEntries(set.map((name) => [name, annotations[name] === 'true']));
}

/** What the form does not show, such as a title, stays; so does the order. */
function annotationsOf(values: ToolValues, tool: CustomTool | null): ToolFields['annotations'] {
  const hints = hintsOf(values);
  const kept = Object.entries(tool?.annotations ?? {}).filter(([name]) => name === 'title' || name in hints);
  const annotations = { ...Object.fromEntries(kept), ...hints };
  return Object.keys(annotations).length > 0 ? annotations : null;
}

/** A save that changes nothing makes no version. */
export const changesOf = (values: ToolValues, tool: CustomTool): Partial<ToolFields> =>
  settable(changedFields(fieldsOf(values, tool), tool), tool.source);

/** An earlier definition as a change. */
export const restorable = ({ source, ...definition }: CustomToolVersion['definition']): Partial<ToolFields> =>
  settable(definition as Partial<ToolFields>, source);

/** Without what an MCP server decides of its tools. */
function settable(fields: Partial<ToolFields>, source: object | null | undefined): Partial<ToolFields> {
  const decided: readonly string[] = source ? setByServer : [];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !decided.includes(name)));
}
