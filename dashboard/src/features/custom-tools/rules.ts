// What the API will refuse, said while it is typed, in the API's words. The API decides: nothing is blocked here.

import { customToolsErrors } from '@toolgate/contract/custom-tools/errors.ts';
import { checkTemplate, compileTemplate, templateProblems } from '@toolgate/contract/custom-tools/path-template.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { isToolName, TOOL_NAME_RULE } from '@toolgate/contract/custom-tools/rules.ts';
import { originTextProblem } from '@toolgate/contract/origin.ts';
import { jsonProblem } from '../../ui/forms/json.tsx';

const { baseUrlNotHttps, baseUrlNotOrigin, endpointPathNotAbsolute } = customToolsErrors;

type Draft = { base_url: string; endpoint_path: string; input_schema: string; require_member: boolean; name: string };
type JsonSchema = { type?: unknown; properties?: Record<string, unknown>; required?: unknown };

const placeholdersOf = (path: string) => [...new Set(compileTemplate(path).names)];

/** Null if the text is not a JSON object. */
export function parseSchema(text: string): JsonSchema | null {
  if (jsonProblem(text) !== null) return null;
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : null;
}

export function nameProblem({ name }: Draft): string | undefined {
  return name === '' || isToolName(name) ? undefined : TOOL_NAME_RULE;
}

export function originProblem({ base_url }: Draft): string | undefined {
  if (base_url === '' || ['https://', 'http://'].some((start) => start.startsWith(base_url))) return undefined;
  // Plain HTTP may be allowed by the operator: only the API knows.
  const problem = originTextProblem(base_url);
  if (problem === null) return undefined;
  return problem === 'not_origin' ? baseUrlNotOrigin.message : baseUrlNotHttps.message;
}

export function pathProblem(draft: Draft): string | undefined {
  const { endpoint_path, require_member } = draft;
  if (endpoint_path === '') return undefined;
  // A placeholder that is being typed is not wrong yet.
  const problem = checkTemplate(endpoint_path.replace(/\{{1,2}\w*$/, ''));
  if (problem !== null) return problem === 'not_absolute' ? endpointPathNotAbsolute.message : templateProblems[problem];
  if (placeholdersOf(endpoint_path).includes('member_id') && !require_member)
    return 'endpoint_path uses {{member_id}}: turn on “Require member”';
  const [unknown] = missingProperties(draft);
  return unknown === undefined ? undefined : `{{${unknown}}} is not a property of the input schema yet`;
}

/** The arguments that the path takes, and that the input schema does not have. */
export function missingProperties({
  endpoint_path,
  input_schema,
}: Pick<Draft, 'endpoint_path' | 'input_schema'>): string[] {
  const known = parseSchema(input_schema)?.properties ?? {};
  return placeholdersOf(endpoint_path).filter(
    (name) => /^\w+$/.test(name) && !isReserved(name) && !Object.hasOwn(known, name),
  );
}

/** The schema with one more required property, or null if it is not a JSON object. */
export function withProperty(text: string, name: string): string | null {
  const schema = parseSchema(text);
  if (schema === null) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = { ...schema.properties, [name]: { type: 'string' } };
  return JSON.stringify({ ...schema, properties, required: [...new Set([...required, name])] }, null, 2);
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
  return missing === undefined ? undefined : `“${missing}” is required but is not a property`;
}

/** Keywords with which a schema may describe arguments elsewhere than in `properties`. */
const ELSEWHERE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'];

/** For the name of an argument that another field repeats. */
export function argumentProblem(
  { input_schema, fixed_arguments }: Pick<Draft, 'input_schema'> & { fixed_arguments: { name: string }[] },
  name: string,
): string | undefined {
  const schema = parseSchema(input_schema);
  if (name === '' || schema === null || ELSEWHERE.some((keyword) => keyword in schema)) return undefined;
  const isKnown = Object.hasOwn(schema.properties ?? {}, name) || fixed_arguments.some((each) => each.name === name);
  return isKnown ? undefined : `“${name}” is not a property of the input schema`;
}
