// The JWT that tells the customer's API for whom a call is made (member_jwt), signed ES256 with the key of the project. It names the
// member by the customer's own id, or, without a member, the key or the machine. It lives for 60 seconds.

import { sign } from 'node:crypto';
import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { issuerOf } from '../../projects/signing-keys/issuer.ts';
import type { SigningKey } from '../../projects/signing-keys/signing-key.ts';

const MEMBER_JWT_SECONDS = 60;

type Subject = { sub: string; sub_type?: 'api_key' | 'oauth_client' | 'account' };

function subjectOf(caller: ToolCaller): Subject {
  const member = memberOf(caller);
  if (member) return { sub: member.external_id };
  switch (caller.kind) {
    case 'oauth_client':
      return { sub: caller.oauth_client_id, sub_type: 'oauth_client' };
    // A person who tries the tool for the project.
    case 'test':
      return { sub: caller.account_id, sub_type: 'account' };
    default:
      return { sub: caller.api_key_id as string, sub_type: 'api_key' };
  }
}

const clientOf = (caller: ToolCaller) => ('oauth_client_id' in caller ? caller.oauth_client_id : null);

/** The same for callers whose JWTs say the same. */
export function subjectKey(caller: ToolCaller): string {
  const { sub, sub_type = 'member' } = subjectOf(caller);
  return JSON.stringify([sub_type, sub, caller.integration_id, clientOf(caller)]);
}

export function memberJwt(
  app: App,
  { kid, key }: SigningKey,
  caller: ToolCaller,
  { audience, call_id }: { audience: string; call_id: string },
): string {
  const seconds = Math.floor(app.now() / 1000);
  const client_id = clientOf(caller);
  const claims = {
    iss: issuerOf(app, caller.project.id),
    ...subjectOf(caller),
    aud: audience,
    ...(client_id === null ? {} : { act: { sub: client_id } }),
    project_id: caller.project.id,
    integration_id: caller.integration_id,
    jti: call_id,
    iat: seconds,
    exp: seconds + MEMBER_JWT_SECONDS,
  };
  const signed = `${encode({ alg: 'ES256', typ: 'JWT', kid })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
