// How a call authenticates with the credential of its tool: a fixed header, a query parameter, a signature over exactly the bytes that are sent, or
// an access token.

import type { App } from '../../../../app.ts';
import { ApiError } from '../../../../errors/errors.ts';
import { tokenForms } from '../../../../outbound/redact-secrets.ts';
import { type Ready, whenReady } from '../../../../when-ready.ts';
import { joinQueries } from '../../expansion/expand-query.ts';
import { CallOutdated, recheck } from '../call-access.ts';
import { addSignature } from '../https/sign-request.ts';
import { type CallRun, remainingMs } from '../run.ts';
import type { Authorization } from './authorization.ts';
import { authorizeMember } from './authorize-member.ts';
import { type AccessToken, accessToken, cachedToken, type TokenSource, tokenRefused } from './client-credentials.ts';
import type { Credential } from './credential.ts';
import { memberJwt, type SignedFor, signedFor, subjectKey } from './member-jwt.ts';

/** Returns no promise while nothing has to be loaded. */
export function authorize(app: App, run: CallRun): Ready<Authorization> {
  const { credential } = run.tool;
  switch (credential.kind) {
    case 'header':
      return { addTo: inFixedHeaders, secretForms: () => credential.secret_forms, refused: isFinal };
    case 'query':
      return {
        addTo: (request) => {
          request.query = joinQueries(request.query, credential.parameter);
        },
        secretForms: () => credential.secret_forms,
        refused: isFinal,
      };
    case 'signature':
      return {
        addTo: (request, { caller, tool }) => void addSignature(app.now(), caller, tool, request, credential),
        secretForms: () => credential.secret_forms,
        refused: isFinal,
      };
    case 'member_jwt':
      return authorizeByJwt(app, credential, run.call_id);
    case 'token_exchange':
    case 'token': {
      const source =
        credential.kind === 'token'
          ? credential.source
          : exchangeSource(app, credential, signedFor(run.caller), run.call_id);
      const requester = { project: run.caller.project, recheck: () => recheckForAll(app, run) };
      return whenReady(accessToken(app, source, requester), (token) =>
        withToken(app, { source, secret_forms: credential.secret_forms }, token),
      );
    }
    case 'member_token':
      return authorizeMember(app, run.caller, credential.provider_id, () => Math.max(1, remainingMs(run)));
    case 'unreadable':
      throw credential.cause;
  }
}

/** Signed when the call has its slot, so that its 60 seconds begin then. */
function authorizeByJwt(
  app: App,
  { key, audience }: Credential & { kind: 'member_jwt' },
  call_id: string,
): Authorization {
  const sent = { text: '' };
  return {
    addTo({ headers }, { caller }) {
      sent.text = memberJwt(app, key, signedFor(caller), { audience, call_id });
      headers.authorization = `Bearer ${sent.text}`;
    },
    secretForms: () => tokenForms(sent),
    refused: isFinal,
  };
}

/** One token for each member, client and integration: the JWT names them. */
export function exchangeSource(
  app: App,
  { source, key, token_url, audience }: Credential & { kind: 'token_exchange' },
  subject: SignedFor,
  call_id: string,
): TokenSource {
  return {
    ...source,
    key: `${source.key} ${subjectKey(subject)}`,
    makeForm: () => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: memberJwt(app, key, subject, { audience: token_url, call_id }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      ...(audience === undefined ? {} : { audience }),
    }),
  };
}

/** prepared-tool.ts has put the header there. */
const inFixedHeaders = () => {};

const isFinal = () => null;

function withToken(
  app: App,
  { source, secret_forms }: Pick<Credential & { kind: 'token' }, 'source' | 'secret_forms'>,
  found: AccessToken,
): Authorization {
  let token = found;
  return {
    addTo({ headers }) {
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
async function recheckForAll(app: App, { caller, tool, call }: CallRun): Promise<void> {
  try {
    await recheck(app, caller, tool, call.name);
  } catch (error) {
    throw error instanceof ApiError ? new CallOutdated() : error;
  }
}
