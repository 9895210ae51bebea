// How a call authenticates with the credential of its tool: a fixed header, a signature over exactly the bytes that are sent, or
// an access token.

import type { App } from '../../../app.ts';
import { ApiError } from '../../../errors/errors.ts';
import { tokenForms } from '../../../outbound/redact-secrets.ts';
import type { Authorization, CheckedCall } from './authorization.ts';
import { authorizeMember } from './authorize-member.ts';
import { CallOutdated, recheck } from './call-access.ts';
import { type AccessToken, accessToken, cachedToken, tokenRefused } from './client-credentials.ts';
import type { Credential } from './credential.ts';
import { addSignature } from './sign-request.ts';

/** Returns no promise while nothing has to be loaded. `remaining` returns the milliseconds that the call may still take. */
export function authorize(
  app: App,
  checked: CheckedCall,
  remaining: () => number,
): Authorization | Promise<Authorization> {
  const { credential } = checked.tool;
  switch (credential.kind) {
    case 'header':
      return { addHeaders: inFixedHeaders, secretForms: () => credential.secret_forms, refused: isFinal };
    case 'signature':
      return {
        addHeaders: (request, { caller, tool }) => void addSignature(app.now(), caller, tool, request, credential),
        secretForms: () => credential.secret_forms,
        refused: isFinal,
      };
    case 'token': {
      const found = accessToken(app, credential.source, {
        project: checked.caller.project,
        recheck: () => recheckForAll(app, checked),
      });
      return found instanceof Promise
        ? found.then((token) => withToken(app, credential, token))
        : withToken(app, credential, found);
    }
    case 'member_token':
      return authorizeMember(app, checked.caller, credential.provider_id, remaining);
    case 'unreadable':
      throw credential.cause;
  }
}

/** prepared-tool.ts has put the header there. */
const inFixedHeaders = () => {};

const isFinal = () => null;

function withToken(
  app: App,
  { source, secret_forms }: Credential & { kind: 'token' },
  found: AccessToken,
): Authorization {
  let token = found;
  return {
    addHeaders({ headers }) {
      // Another call may have fetched a newer token meanwhile.
      token = cachedToken(app, source) ?? token;
      headers.authorization = `Bearer ${token.text}`;
    },
    secretForms: () => [...secret_forms, ...tokenForms(token)],
    refused() {
      tokenRefused(app, source, token);
      return null;
    },
  };
}

/** Several calls may wait for one token: a refusal of the call that fetches it must not be thrown to the others. */
async function recheckForAll(app: App, { caller, tool, call }: CheckedCall): Promise<void> {
  try {
    await recheck(app, caller, tool, call.name);
  } catch (error) {
    throw error instanceof ApiError ? new CallOutdated() : error;
  }
}
