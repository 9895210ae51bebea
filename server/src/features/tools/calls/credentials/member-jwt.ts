// The JWT that tells the customer's API for whom a call is made (member_jwt), signed ES256 with the key of the project. It names the
// member by the customer's own id, or, without a member, the key or the machine. It lives for 60 seconds.

import { sign } from 'node:crypto';
import { memberOf, type ToolCaller } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { issuerOf } from '../../../projects/signing-keys/issuer.ts';
import type { SigningKey } from '../../../projects/signing-keys/signing-key.ts';

const MEMBER_JWT_SECONDS = 60;

/** For whom a JWT is signed. `client_id`: the OAuth client that acts for them. */
export type SignedFor = {
  project_id: string;
  integration_id: string | null;
  client_id: string | null;
  subject: { sub: string; sub_type?: 'api_key' | 'oauth_client' | 'account' | 'mcp_server' };
};

export const signedFor = (caller: ToolCaller): SignedFor => ({
  project_id: caller.project.id,
  integration_id: caller.integration_id,
  client_id: 'oauth_client_id' in caller ? caller.oauth_client_id : null,
  subject: subjectOf(caller),
});

/** Nobody calls while the tools of an MCP server are listed. */
export const signedForServer = (project_id: string, id: string): SignedFor => ({
  project_id,
  integration_id: null,
  client_id: null,
  subject: { sub: id, sub_type: 'mcp_server' },
});

function subjectOf(caller: ToolCaller): SignedFor['subject'] {
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

/** The same where JWTs say the same. */
export function subjectKey({ subject: { sub, sub_type }, integration_id, client_id }: SignedFor): string {
  return JSON.stringify([sub_type ?? 'member', sub, integration_id, client_id]);
}

export function memberJwt(
  app: App,
  { kid, key }: SigningKey,
  { project_id, integration_id, client_id, subject }: SignedFor,
  { audience, call_id }: { audience: string; call_id: string },
): string {
  const seconds = Math.floor(app.now() / 1000);
  const claims = {
    iss: issuerOf(app, project_id),
    ...subject,
    aud: audience,
    ...(client_id === null ? {} : { act: { sub: client_id } }),
    project_id,
    integration_id,
    jti: call_id,
    iat: seconds,
    exp: seconds + MEMBER_JWT_SECONDS,
  };
  const signed = `${encode({ alg: 'ES256', typ: 'JWT', kid })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
