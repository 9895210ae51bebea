// `x-toolgate-client-capabilities` in an input_schema: what a tool needs of the client, such as an extension that shows its answer.
// A 2026-07-28 client declares with each request what it can do; one that lacks something is told so instead of getting an answer
// it can do nothing with. Older clients declare it once, in a greeting that nobody here remembers: their calls pass.

import { isObject, RpcError } from './json-rpc.ts';
import { metaKeys } from './protocol.ts';

type Capabilities = Record<string, unknown>;

export function checkClientCapabilities(schema: Record<string, unknown>, meta: unknown): void {
  const required = schema['x-toolgate-client-capabilities'];
  if (!isObject(required)) return;
  const declared = isObject(meta) ? meta[metaKeys.client_capabilities] : undefined;
  const missing = lacking(required, isObject(declared) ? declared : {});
  const names = Object.keys(missing);
  if (names.length === 0) return;
  throw new RpcError('missing_client_capability', `This tool needs a client with ${names.join(', ')}`, {
    data: { requiredCapabilities: missing },
  });
}

/** The part of what is required that is not declared. `{ elicitation: { url: {} } }` needs the one inside, too. */
function lacking(required: Capabilities, declared: Capabilities): Capabilities {
  const missing: Capabilities = {};
  for (const [name, inside] of Object.entries(required)) {
    const given = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!isObject(inside)) continue;
    if (!isObject(given)) missing[name] = inside;
    else {
      const deeper = lacking(inside, given);
      if (Object.keys(deeper).length > 0) missing[name] = deeper;
    }
  }
  return missing;
}
