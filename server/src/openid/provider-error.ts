// Why a request to a provider failed. Its text is for people and contains no token: errors of oauth4webapi hold whole
// responses, so they are neither kept nor logged.

import * as oauth from 'oauth4webapi';
import { SendError } from '../outbound/messages.ts';

export type ProviderErrorKind =
  /** No response, or one that says "later": the same request may succeed. */
  | 'unreachable'
  /** The provider, or the person at the provider, said no. */
  | 'refused'
  /** A response that breaks the protocol or does not belong to this sign-in. */
  | 'invalid';

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** The OAuth error code, such as `access_denied` or `invalid_client`. */
  readonly error_code: string | null;
  /** False if this server did not ask: it had too much to send, or was stopping. */
  readonly was_asked: boolean;

  constructor(kind: ProviderErrorKind, message: string, error_code: string | null = null, was_asked = true) {
    super(message);
    this.kind = kind;
    this.error_code = error_code;
    this.was_asked = was_asked;
  }
}

/** OAuth errors about the code, which a provider gives only to a client that has authenticated. GitHub has its own. */
export const codeErrors: ReadonlySet<string> = new Set(['invalid_grant', 'bad_verification_code']);

/** Runs a step of the protocol; rejects with ProviderError only. */
export async function atProvider<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toProviderError(step, error);
  }
}

function toProviderError(step: string, error: unknown): unknown {
  if (error instanceof ProviderError) return error;
  if (error instanceof SendError)
    return new ProviderError(
      'unreachable',
      `${step}: no usable response (${error.kind})`,
      null,
      error.kind !== 'overloaded' && error.kind !== 'aborted',
    );
  if (error instanceof oauth.ResponseBodyError) {
    const kind = isTemporary(error.status) ? 'unreachable' : 'refused';
    return new ProviderError(kind, `${step}: the provider returned ${shown(error.error)}`, shown(error.error));
  }
  if (error instanceof oauth.AuthorizationResponseError)
    return new ProviderError('refused', `${step}: the provider returned ${shown(error.error)}`, shown(error.error));
  const status = statusIn(error);
  if (error instanceof oauth.WWWAuthenticateChallengeError || (status !== null && isTemporary(status)))
    return new ProviderError(
      status !== null && isTemporary(status) ? 'unreachable' : 'refused',
      `${step}: the provider returned status ${status}`,
    );
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return new ProviderError('invalid', `${step}: ${error.message}`);
  return error;
}

const isTemporary = (status: number) => status >= 500 || status === 429 || status === 408;

/** Errors about an unexpected status have the response as their cause. */
function statusIn(error: unknown): number | null {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response ? cause.status : null;
}

/** A provider may send anything, even what it was sent: only what looks like an error code is shown. */
const shown = (code: string) => (/^[a-z_]{1,64}$/.test(code) ? code : 'an unknown error');
