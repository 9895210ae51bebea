// Signs the request of a call, for tools with hmac_signature.

import { hash } from 'node:crypto';
import { memberOf, type ToolCaller } from '../../../../access/caller.ts';
import { activeKeys, type Credential } from '../credentials/credential.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import { addContext, type BuiltRequest, contextOf } from './request.ts';
import { canonicalString, encodeMemberId, signatureHeader } from './signature.ts';

const sha256OfNothing = hash('sha256', '');

/** Adds the headers of the signature. Returns what is signed. */
export function addSignature(
  now: number,
  caller: ToolCaller,
  { host, shape }: Pick<PreparedTool, 'host' | 'shape'>,
  { call_id, path, query, headers, body, body_sha256 }: BuiltRequest,
  credential: Credential & { kind: 'signature' },
): string {
  const member = memberOf(caller);
  const timestamp = Math.floor(now / 1000);
  const canonical = canonicalString({
    timestamp,
    request_id: call_id,
    method: shape.method,
    host,
    path,
    query,
    body: typeof body === 'string' ? body : { sha256: body_sha256 ?? sha256OfNothing },
    project_id: caller.project.id,
    integration_id: caller.integration_id,
    member_id: member && encodeMemberId(member.external_id),
  });
  if (shape.context_in !== 'headers') addContext(headers, contextOf(caller)); // otherwise buildRequest() has added it
  headers['x-toolgate-timestamp'] = String(timestamp);
  headers['x-toolgate-signature'] = signatureHeader(activeKeys(credential, now), canonical);
  return canonical;
}
