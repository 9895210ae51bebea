// POST /custom-tools/preview: the request of a tool that is not saved yet. The same code builds it as in a call; no secret is needed,
// nothing is sent or stored.

import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { type CustomToolDefinition, definitionDefaults } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { fileArgumentsOf } from '@toolgate/contract/custom-tools/file-arguments.ts';
import {
  REDACTED,
  type ToolDefinitionPreviewRequest,
  type ToolRequestPreview,
} from '@toolgate/contract/custom-tools/tool-request-preview.ts';
import { type Caller, memberOf, type ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { checkAuth, checkKeyParameter, DEFAULT_KEY_HEADER, keyParameterOf } from '../catalogue/auth-rules.ts';
import { checkDefinition, compileSchemas } from '../catalogue/definition.ts';
import { withFileArguments } from '../catalogue/file-arguments.ts';
import { encodeQuery } from '../expansion/expand-query.ts';
import { type Arguments, checkArguments, measureArguments } from './arguments.ts';
import { findRequestProblems } from './https/request.ts';
import { prepareRequest } from './prepared-tool.ts';
import { attempt, build, callerOf, NOTHING, type Problem, type ShownCredential } from './preview.ts';

export async function previewDefinition(
  app: App,
  given: Caller,
  { definition: input, arguments: args = {}, member_external_id }: ToolDefinitionPreviewRequest,
): Promise<ToolRequestPreview> {
  const caller = callerOf(given, member_external_id);
  const definition: CustomToolDefinition = { ...definitionDefaults, name: '', ...input };
  const problems: Problem[] = [];
  const auth = await attempt(problems, () => checkCredential(app, definition));
  const checked = await attempt(problems, () => checkRest(app, caller, definition));
  if (definition.require_member && !memberOf(caller)) problems.push(...NO_MEMBER);
  // What is wrong with the authentication does not hide the rest of the request.
  const built =
    checked && (await attempt(problems, () => buildUnsaved(app, caller, auth ?? withoutAuth(checked), args)));
  return { object: 'tool_request_preview', method: definition.method, ...(built ?? NOTHING), problems };
}

const { code, message } = refuse.memberContextRequired();
const NO_MEMBER: Problem[] = [{ code, field: '', message }];

const withoutAuth = (definition: CustomToolDefinition): CustomToolDefinition => ({
  ...definition,
  auth_strategy: 'none',
  auth_config: {},
});

/** As if the secret were there: whether it is right is known when the tool is saved. */
function checkCredential(app: App, definition: CustomToolDefinition): CustomToolDefinition {
  checkAuth({ egress_allow: app.egress.allowed() }, definition, { exists: true, text: null });
  checkKeyParameter(definition);
  return definition;
}

async function checkRest(app: App, caller: ToolCaller, definition: CustomToolDefinition) {
  const rules = { egress_allow: app.egress.allowed() };
  const checked = checkDefinition(rules, withoutAuth(definition), { exists: false, text: null });
  const { fairness_key } = caller.project;
  await compileSchemas({ validators: app.validators, fairness_key }, checked);
  return checked;
}

async function buildUnsaved(app: App, caller: ToolCaller, definition: CustomToolDefinition, args: unknown) {
  const credential = redactedCredential(definition);
  const { shape, fixed_headers } = prepareRequest(definition, credential);
  const given = await checkArguments(
    args,
    measureArguments(args, Number.POSITIVE_INFINITY),
    await checksOf(app, caller, definition, (given) => findRequestProblems(shape, given)),
  );
  const { host, origin } = new URL(definition.base_url);
  const file_arguments = fileArgumentsOf(definition.input_schema);
  const built = build(app, caller, { shape, fixed_headers, origin, host, credential, file_arguments }, given);
  if (built.signature === null) return built;
  return { ...built, headers: { ...built.headers, 'x-toolgate-signature': REDACTED }, signature: REDACTED };
}

/** Schemas that are typed do not replace those of tools in the cache: each is compiled under its own key. */
async function checksOf(
  { validators }: App,
  { project: { fairness_key } }: ToolCaller,
  definition: CustomToolDefinition,
  findProblems: (given: Arguments) => ReturnType<typeof findRequestProblems>,
): Promise<Parameters<typeof checkArguments>[2]> {
  const { fixed_arguments } = definition;
  const input_schema = withFileArguments(definition.input_schema, fileArgumentsOf(definition.input_schema));
  const key = `preview ${createHash('sha256').update(JSON.stringify(input_schema)).digest('hex')}`;
  return {
    validate: await validators.validatorFor(key, input_schema, fairness_key),
    fixed_arguments: Object.keys(fixed_arguments).length === 0 ? null : fixed_arguments,
    findLister: () => validators.listerFor(key, input_schema, fairness_key),
    findRequestProblems: findProblems,
  };
}

/** In the place of the secret. The key signs only what is redacted. */
function redactedCredential(definition: CustomToolDefinition): ShownCredential {
  const { auth_strategy, auth_config } = definition;
  const header = (name: string) => ({ kind: 'header', header: { [name]: REDACTED } }) as const;
  switch (auth_strategy) {
    case 'none':
      return { kind: 'header', header: {} };
    case 'bearer_token':
    case 'basic':
      return header('authorization');
    case 'api_key_header':
      return header((auth_config.header_name ?? DEFAULT_KEY_HEADER).toLowerCase());
    case 'api_key_query':
      return { kind: 'query', name: encodeQuery(keyParameterOf(definition) ?? '') };
    case 'hmac_signature':
      return { kind: 'signature', key: createSecretKey(randomBytes(32)), previous: null, secret_forms: [] };
    case 'member_oauth':
      return { kind: 'member_token' };
    case 'oauth2_client_credentials':
      return { kind: 'token' };
    case 'member_jwt':
    case 'token_exchange':
      return { kind: auth_strategy };
  }
}
