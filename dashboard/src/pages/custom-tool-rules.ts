// What the API will refuse, said while it is typed, in the API's words. The API decides: nothing is blocked here.

import { jsonProblem } from '../components/json.tsx';

type Draft = { base_url: string; endpoint_path: string; input_schema: string; require_member: boolean; name: string };
type JsonSchema = { type?: unknown; properties?: Record<string, unknown>; required?: unknown };

const reservedNames = ['member_id', 'project_id', 'integration_id'];
export const isReserved = (name: string) => reservedNames.includes(name.toLowerCase());

function placeholdersOf(path: string): string[] {
  return [...new Set([...path.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name))];
}

/** Null if the text is no JSON object. */
export function parseSchema(text: string): JsonSchema | null {
  if (jsonProblem(text) !== null) return null;
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : null;
}

export function nameProblem({ name }: Draft): string | undefined {
  if (name === '' || /^[A-Za-z0-9_-]{1,64}$/.test(name)) return undefined;
  return 'must be 1 to 64 letters, digits, _ or -';
}

export function originProblem({ base_url }: Draft): string | undefined {
  if (base_url === '' || 'https://'.startsWith(base_url)) return undefined;
  if (!/^https:\/\//i.test(base_url)) return 'base_url must use HTTPS';
  if (/[/?#@\\]/.test(base_url.slice('https://'.length).replace(/\/$/, '')))
    return 'base_url must be origin-only (no paths)';
  return undefined;
}

export function pathProblem(draft: Draft): string | undefined {
  const { endpoint_path, require_member, input_schema } = draft;
  if (endpoint_path === '') return undefined;
  if (!endpoint_path.startsWith('/')) return 'endpoint_path must start with /';
  const names = placeholdersOf(endpoint_path);
  if (/\{\w*\}/.test(endpoint_path.replaceAll(/\{\{[^{}]*\}\}/g, '')))
    return 'must write placeholders with two braces: {{name}}, not {name}';
  if (names.includes('member_id') && !require_member)
    return 'endpoint_path uses {{member_id}}: turn on “Require member”';
  const known = parseSchema(input_schema)?.properties ?? {};
  const unknown = names.find((name) => !reservedNames.includes(name) && !Object.hasOwn(known, name));
  return unknown === undefined ? undefined : `{{${unknown}}} is no property of the input schema yet`;
}

export function schemaProblem({ input_schema }: Draft): string | undefined {
  const problem = jsonProblem(input_schema);
  if (problem !== null) return problem;
  const schema = parseSchema(input_schema);
  if (schema === null) return 'must be a JSON Schema object';
  if (schema.type !== 'object') return 'type must be "object"';
  const reserved = Object.keys(schema.properties ?? {}).find(isReserved);
  if (reserved !== undefined) return `“${reserved}” is a reserved name: only toolgate sets it`;
  const missing = Array.isArray(schema.required)
    ? schema.required.find((name) => typeof name === 'string' && !Object.hasOwn(schema.properties ?? {}, name))
    : undefined;
  return missing === undefined ? undefined : `“${missing}” is required, and is no property`;
}
