// What a tool must satisfy before it is saved. First the rows that spec 7 answers with 400, in a fixed order, then
// everything else, 422 with the field named. Nothing here touches the network or the database.

import { refuse } from '../../errors.ts';
import { type AddressPorts, checkOrigin, type OriginProblem } from '../../outbound/address-guard.ts';
import { checkAuth, type SecretGiven } from './auth-rules.ts';
import { checkHeaders } from './header-rules.ts';
import { invalidField } from './invalid-field.ts';
import { checkTemplate, compileTemplate, templateProblems } from './path-template.ts';
import { reservedVariables } from './reserved-variables.ts';
import { checkSchema } from './schema/check.ts';
import type { Problem } from './schema/problem.ts';
import { checkCompiles } from './schema/validator.ts';
import type { Definition } from './tool.ts';

const originProblems: Record<OriginProblem, string> = {
  not_https: 'must use HTTPS',
  not_origin: 'must be an origin',
  not_url: 'must be an HTTPS origin such as https://api.example.com',
  bad_host: 'must name a host in letters, digits, hyphens and dots',
  bad_port: 'must have port 443 or a usual port above 1023',
  not_public: 'must be an address on the public internet',
};

export type Rules = { egress_allow: AddressPorts };

/** The definition as it is to be saved, or the first refusal. */
export function checkDefinition(rules: Rules, definition: Definition, secret: SecretGiven): Definition {
  const origin = checkOrigin(definition.base_url, rules.egress_allow);
  const template = checkTemplate(definition.endpoint_path);
  if ('problem' in origin && origin.problem === 'not_https') throw refuse.baseUrlNotHttps(blame('base_url'));
  if ('problem' in origin && origin.problem === 'not_origin') throw refuse.baseUrlNotOrigin(blame('base_url'));
  if (template === 'not_absolute') throw refuse.endpointPathNotAbsolute(blame('endpoint_path'));
  if (definition.auth_strategy === 'hmac_signature' && !secret.is_there)
    throw refuse.authSecretRequired(blame('encrypted_auth_secret'));
  const { names } = compileTemplate(definition.endpoint_path);
  if (names.includes('member_id') && !definition.require_member)
    throw refuse.memberIdWithoutMember(blame('endpoint_path'));

  if ('problem' in origin) throw invalidField('base_url', originProblems[origin.problem]);
  if (template !== null) throw invalidField('endpoint_path', templateProblems[template]);
  refuseProblem('input_schema', checkSchema(definition.input_schema, 'input'));
  if (definition.output_schema) refuseProblem('output_schema', checkSchema(definition.output_schema, 'output'));
  checkPlaceholders(names, definition);
  checkHeaders(definition.headers);
  checkAuth(rules, definition, secret);
  return { ...definition, base_url: origin.origin };
}

/** Compiles, off this thread, the schemas that have not been saved before. */
export async function proveSchemas(quota_group_id: string, definition: Definition, saved?: Definition): Promise<void> {
  for (const field of ['input_schema', 'output_schema'] as const) {
    const schema = definition[field];
    if (schema === null || JSON.stringify(schema) === JSON.stringify(saved?.[field])) continue;
    refuseProblem(field, await checkCompiles(schema, quota_group_id));
  }
}

/** A model can only give what the schema tells it of. */
function checkPlaceholders(names: readonly string[], { input_schema }: Definition): void {
  const { properties = {}, ...others } = input_schema as { properties?: object };
  const mayBeElsewhere = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((keyword) => keyword in others);
  const isKnown = (name: string) =>
    (reservedVariables as readonly string[]).includes(name) || Object.hasOwn(properties, name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined && !mayBeElsewhere)
    throw invalidField('endpoint_path', `has the placeholder {{${unknown}}}, which is no property of input_schema`);
}

function refuseProblem(field: string, problem: Problem | null): void {
  if (problem) throw invalidField(problem.field === '' ? field : `${field}.${problem.field}`, problem.message);
}

const blame = (field: string) => ({ details: { field } });
