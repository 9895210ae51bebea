// Checks a tool before it is saved. First the rows of spec 7 with status 400, in a fixed order, then everything else with 422
// and the field. No network and no database.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { compileHeader, hasPlaceholder, namesIn } from '@toolgate/contract/custom-tools/header-template.ts';
import { contradicts } from '@toolgate/contract/custom-tools/hints.ts';
import {
  checkTemplate,
  compileTemplate,
  type TemplateProblem,
  templateProblems,
} from '@toolgate/contract/custom-tools/path-template.ts';
import { reservedVariables } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import { type ApiError, invalidField, refuse } from '../../../errors/errors.ts';
import { checkOrigin, type OriginProblem } from '../../../outbound/address-guard.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { checkAuth, checkKeyParameter, type SecretState } from './auth-rules.ts';
import { checkBody } from './body-rules.ts';
import { checkHeaders } from './check-headers.ts';
import { checkSchema } from './check-schema.ts';
import { checkFileArguments } from './file-arguments.ts';
import { type CompileContext, checkFixedArguments, checkFixedValues } from './fixed-arguments.ts';
import { checkPolling } from './polling-rules.ts';
import { checkResponse, listedOutputSchema } from './response-rules.ts';

const originProblems: Record<OriginProblem, string> = {
  not_https: 'must use HTTPS',
  not_origin: 'must be an origin',
  not_url: 'must be an HTTPS origin such as https://api.example.com',
  bad_host: 'must have a host with only letters, digits, hyphens and dots',
  bad_port: 'must have port 443 or an allowed port above 1023',
  not_public: 'must be a public URL',
};

export type Rules = { egress_allow: AllowList };

/** Returns the definition to save, or throws the first refusal. */
export function checkDefinition(
  rules: Rules,
  definition: CustomToolDefinition,
  secret: SecretState,
): CustomToolDefinition {
  if (definition.source) return checkSourced(definition);
  const origin = checkOrigin(definition.base_url, rules.egress_allow);
  const template = checkTemplate(definition.endpoint_path);
  if ('problem' in origin && origin.problem === 'not_https') throw refuse.baseUrlNotHttps(fieldDetails('base_url'));
  if ('problem' in origin && origin.problem === 'not_origin') throw refuse.baseUrlNotOrigin(fieldDetails('base_url'));
  if (template === 'not_absolute') throw refuse.endpointPathNotAbsolute(fieldDetails('endpoint_path'));
  if (definition.auth_strategy === 'hmac_signature' && !secret.exists)
    throw refuse.authSecretRequired(fieldDetails('encrypted_auth_secret'));
  const { names } = compileTemplate(definition.endpoint_path);
  if (names.includes('member_id') && !definition.require_member)
    throw refuse.memberIdWithoutMember(fieldDetails('endpoint_path'));

  if ('problem' in origin)
    throw invalidField('base_url', originProblems[origin.problem], {
      reason: origin.problem === 'not_public' ? 'address_not_public' : 'invalid_value',
    });
  if (template !== null) throw invalidTemplate(template);
  refuseProblem('input_schema', checkSchema(definition.input_schema, 'input'));
  if (definition.output_schema) refuseProblem('output_schema', checkSchema(definition.output_schema, 'output'));
  checkBody(definition);
  checkFileArguments(definition);
  checkFixedArguments(definition);
  checkResponse(definition);
  checkPlaceholders(names, definition);
  checkHeaders(definition.headers);
  for (const [name, value] of Object.entries(definition.headers))
    if (hasPlaceholder(value)) checkHeaderArguments(name, value, definition);
  checkPolling(definition);
  refuseContradiction(definition);
  checkAuth(rules, definition, secret);
  checkKeyParameter(definition);
  return { ...definition, base_url: origin.origin };
}

/** A tool of an MCP server: where it is called is checked with the server, and no variable is reserved. */
function checkSourced(definition: CustomToolDefinition): CustomToolDefinition {
  refuseProblem('input_schema', checkSchema(definition.input_schema, 'upstream'));
  if (definition.output_schema) refuseProblem('output_schema', checkSchema(definition.output_schema, 'output'));
  checkFixedArguments(definition);
  checkResponse(definition);
  refuseContradiction(definition);
  return definition;
}

function refuseContradiction({ annotations }: CustomToolDefinition): void {
  if (contradicts(annotations))
    throw invalidField('annotations.destructiveHint', 'must not be true if readOnlyHint is true');
}

/** Compiles the schemas that differ from the saved ones, off this thread; refuses a schema that does not compile. */
export async function compileSchemas(
  context: CompileContext,
  definition: CustomToolDefinition,
  saved?: CustomToolDefinition,
): Promise<void> {
  const { validators, fairness_key } = context;
  for (const field of ['input_schema', 'output_schema'] as const) {
    const schema = definition[field];
    if (schema === null || JSON.stringify(schema) === JSON.stringify(saved?.[field])) continue;
    refuseProblem(field, await validators.checkCompiles(schema, fairness_key));
  }
  await checkFixedValues(context, definition);
  const listed = definition.response && listedOutputSchema(definition);
  if (listed && JSON.stringify(listed) !== JSON.stringify(saved && listedOutputSchema(saved)))
    refuseProblem('response', await validators.checkCompiles(listed, fairness_key));
}

/** Unlike in the path, only own properties: a header that takes arguments is recognized by them (header-template.ts). */
function checkHeaderArguments(
  name: string,
  value: string,
  { input_schema: { properties }, fixed_arguments }: CustomToolDefinition,
): void {
  const known = { ...(isObject(properties) ? properties : {}), ...fixed_arguments };
  const unknown = namesIn(compileHeader(name, value)).find((each) => !Object.hasOwn(known, each));
  if (unknown !== undefined)
    throw invalidField(
      `headers.${name}`,
      `has the placeholder {{${unknown}}}, which is not a property of input_schema`,
    );
}

/** A placeholder must be a property of the schema, because a model passes only arguments that the schema describes. */
function checkPlaceholders(names: readonly string[], { input_schema, fixed_arguments }: CustomToolDefinition): void {
  const { properties = {}, ...others } = input_schema as { properties?: object };
  const mayBeElsewhere = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((keyword) => keyword in others);
  const isKnown = (name: string) =>
    (reservedVariables as readonly string[]).includes(name) ||
    Object.hasOwn(properties, name) ||
    Object.hasOwn(fixed_arguments, name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined && !mayBeElsewhere)
    throw invalidField('endpoint_path', `has the placeholder {{${unknown}}}, which is not a property of input_schema`);
}

function invalidTemplate(problem: TemplateProblem): ApiError {
  const reason = problem === 'single_braces' ? 'placeholder_in_single_braces' : 'invalid_value';
  return invalidField('endpoint_path', templateProblems[problem], { reason });
}

function refuseProblem(field: string, problem: Problem | null): void {
  if (problem) throw invalidField(problem.field === '' ? field : `${field}.${problem.field}`, problem.message);
}

const fieldDetails = (field: string) => ({ details: { field } });
