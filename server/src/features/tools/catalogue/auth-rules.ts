// What each auth_strategy requires: a secret, and its fields of auth_config. A refusal never contains the secret.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { isSameField, rootOfName } from '@toolgate/contract/custom-tools/field-names.ts';
import { headerNameProblem, headerValueProblem } from '@toolgate/contract/custom-tools/header-rules.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { DEFAULT_KEY_PARAMETER, strategiesWithoutSecret } from '@toolgate/contract/custom-tools/rules.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { looksLikeJwe } from '../../../secrets/sealed-input.ts';

export const DEFAULT_KEY_HEADER = 'X-API-Key';

/** `text` is null unless the request contains the secret; a stored secret was checked when it was saved. */
export type SecretState = { exists: boolean; text: string | null };

type Strategy = CustomToolDefinition['auth_strategy'];

const configFields: Record<Strategy, readonly (keyof CustomToolDefinition['auth_config'])[]> = {
  none: [],
  bearer_token: [],
  api_key_header: ['header_name'],
  api_key_query: ['parameter_name'],
  basic: [],
  hmac_signature: [],
  oauth2_client_credentials: ['token_url', 'client_id', 'scope'],
  member_oauth: ['oauth_provider_id'],
  member_jwt: ['audience'],
  token_exchange: ['token_url', 'audience', 'scope', 'client_id'],
};

export function checkAuth(
  rules: { egress_allow: AllowList },
  definition: Pick<CustomToolDefinition, 'auth_strategy' | 'auth_config' | 'headers' | 'require_member'>,
  secret: SecretState,
): void {
  const { auth_strategy, auth_config, headers, require_member } = definition;
  for (const field of Object.keys(auth_config) as (keyof CustomToolDefinition['auth_config'])[]) {
    if (!configFields[auth_strategy].includes(field))
      throw invalidField(`auth_config.${field}`, `is not used by ${auth_strategy}`);
  }
  if (auth_strategy === 'oauth2_client_credentials' || auth_strategy === 'token_exchange')
    checkTokenConfig(rules, auth_config);
  if (auth_strategy === 'member_jwt' && auth_config.audience === undefined)
    throw invalidField('auth_config.audience', 'is required');
  if (auth_strategy === 'api_key_header') checkKeyHeader(auth_config.header_name ?? DEFAULT_KEY_HEADER, headers);
  if (auth_strategy === 'member_oauth' && !require_member)
    throw invalidField('require_member', "must be true when auth_strategy is 'member_oauth'");
  if (hasSecret(auth_strategy) && !secret.exists)
    throw invalidField('encrypted_auth_secret', `is required when auth_strategy is '${auth_strategy}'`);
  // The plaintext of a JWE is not known before it is opened for a call.
  const problem = secret.text === null || looksLikeJwe(secret.text) ? null : secretProblem(auth_strategy, secret.text);
  if (problem !== null) throw invalidField('encrypted_auth_secret', problem);
}

/** Whether the tool itself has a secret. With member_oauth each member has a token, and a JWT is signed with the key of the project. */
export const hasSecret = (strategy: Strategy) => !strategiesWithoutSecret.includes(strategy);

/** Returns why this text cannot be the strategy's secret, or null. */
export function secretProblem(strategy: Strategy, text: string): string | null {
  if (text === '') return 'must not be empty';
  if (strategy === 'bearer_token' || strategy === 'api_key_header') return headerValueProblem(text);
  if (strategy === 'api_key_query' && !/^\P{Control}*$/u.test(text)) return 'must not contain control characters';
  if (strategy === 'basic' && !/^[^:\p{Control}]*:[^\p{Control}]*$/u.test(text)) return 'must be user:password';
  return null;
}

/** A stored secret is sent only where it was given for: a caller who may change a tool must not get its secret sent elsewhere. */
export function refuseToMoveSecret(old: CustomToolDefinition, saved: CustomToolDefinition): void {
  // These send no secret: the tool has none, or it only signs.
  if (!hasSecret(saved.auth_strategy) || saved.auth_strategy === 'hmac_signature') return;
  const changed =
    (saved.base_url !== old.base_url && 'base_url') ||
    (saved.auth_config.token_url !== old.auth_config.token_url && 'auth_config.token_url');
  if (changed)
    throw invalidField(
      'encrypted_auth_secret',
      `must be sent again when ${changed} changes, because it would be sent there`,
    );
}

function checkKeyHeader(name: string, headers: Record<string, string>): void {
  const isFixed = Object.keys(headers).some((fixed) => fixed.toLowerCase() === name.toLowerCase());
  const problem = headerNameProblem(name) ?? (isFixed ? 'is also set in headers' : null);
  if (problem !== null) throw invalidField('auth_config.header_name', problem);
}

/** The query parameter that has the secret; null with other strategies. */
export const keyParameterOf = ({ auth_strategy, auth_config }: KeyOwner) =>
  auth_strategy === 'api_key_query' ? (auth_config.parameter_name ?? DEFAULT_KEY_PARAMETER) : null;

type KeyOwner = { auth_strategy: string; auth_config: { parameter_name?: string | undefined } };

/** The secret must be what the API reads under this name. */
export function checkKeyParameter(definition: CustomToolDefinition): void {
  const name = keyParameterOf(definition);
  if (name === null) return;
  const { endpoint_path, input_schema, fixed_arguments } = definition;
  const properties = isObject(input_schema.properties) ? input_schema.properties : {};
  const inPath = [...new URLSearchParams(endpoint_path.split('?').slice(1).join('?')).keys()];
  const isTaken = (names: string[]) => names.some((each) => isSameField(each, name));
  const refuseIf = (is_wrong: boolean, message: string) => {
    if (is_wrong) throw invalidField('auth_config.parameter_name', message);
  };
  refuseIf(!/^[!-~]+$/.test(name), 'must be visible ASCII characters without spaces');
  refuseIf(isReserved(rootOfName(name)), 'is reserved: toolgate sets it');
  refuseIf(isTaken(Object.keys({ ...properties, ...fixed_arguments })), 'is also the name of an argument');
  refuseIf(isTaken(inPath), 'is also in endpoint_path');
}

/** Refuses what is not an HTTPS URL that may be called. */
export function checkUrl(rules: { egress_allow: AllowList }, field: string, text: string): void {
  const url = URL.parse(text);
  // The text must equal the parsed URL, so that the checked URL is the one that is called.
  const isPlain = url?.username === '' && url.password === '' && !text.includes('#');
  const checked = url === null ? null : checkOrigin(url.origin, rules.egress_allow);
  const isNotHttps = checked !== null && 'problem' in checked && checked.problem === 'not_https';
  if (url === null || isNotHttps || !isPlain || (url.href !== text && url.href !== `${text}/`))
    throw invalidField(field, 'must be an HTTPS URL without user and fragment');
  if (checked !== null && 'problem' in checked)
    throw invalidField(field, 'must be a public URL', { reason: 'address_not_public' });
}

function checkTokenConfig(rules: { egress_allow: AllowList }, config: CustomToolDefinition['auth_config']): void {
  const { token_url, client_id, scope } = config;
  if (token_url === undefined) throw invalidField('auth_config.token_url', 'is required');
  if (client_id === undefined) throw invalidField('auth_config.client_id', 'is required');
  checkUrl(rules, 'auth_config.token_url', token_url);
  checkScope(scope);
}

/** RFC 6749 appendix A.4 */
export function checkScope(scope: string | undefined): void {
  if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope))
    throw invalidField('auth_config.scope', 'must be scopes separated by single spaces');
}
