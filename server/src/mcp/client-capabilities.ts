// `x-toolgate-client-capabilities` in an input_schema: what a tool requires of the client, such as an extension that renders its result.
// A 2026-07-28 client declares its capabilities with each request; a call without the required ones is refused. Older clients
// declare them once, in `initialize`, which this server does not store: their calls are not checked.

import { isObject, RpcError } from './json-rpc.ts';
import { metaKeys } from './protocol.ts';

type Capabilities = Record<string, unknown>;

export function checkClientCapabilities(schema: Record<string, unknown>, meta: unknown): void {
  const required = schema['x-toolgate-client-capabilities'];
  if (!isObject(required)) return;
  const declared = isObject(meta) ? meta[metaKeys.client_capabilities] : undefined;
  const missing = missingCapabilities(required, isObject(declared) ? declared : {});
  const names = Object.keys(missing);
  if (names.length === 0) return;
  throw new RpcError('missing_client_capability', `This tool requires a client with ${names.join(', ')}`, {
    data: { requiredCapabilities: missing },
  });
}

/** The required capabilities that are not declared. `{ elicitation: { url: {} } }` requires the nested one, too. */
function missingCapabilities(required: Capabilities, declared: Capabilities): Capabilities {
  const missing: Capabilities = {};
  for (const [name, nested] of Object.entries(required)) {
    const given = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!isObject(nested)) continue;
    if (!isObject(given)) missing[name] = nested;
    else {
      const nestedMissing = missingCapabilities(nested, given);
      if (Object.keys(nestedMissing).length > 0) missing[name] = nestedMissing;
    }
  }
  return missing;
}
