// Maps the reason why an assertion is refused to the refusal of the exchange.

import type { RefusalName } from '@toolgate/contract/errors.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import type { AssertionReason } from './verify-assertion.ts';

const names: Record<AssertionReason | 'REPLAYED', RefusalName> = {
  MALFORMED: 'assertionMalformed',
  MISSING_KID: 'assertionMissingKid',
  KEY_NOT_FOUND: 'assertionKeyNotFound',
  INVALID_SIGNATURE: 'assertionInvalidSignature',
  AUD_MISMATCH: 'assertionAudMismatch',
  EXPIRED: 'assertionExpired',
  TTL_TOO_LONG: 'assertionTtlTooLong',
  SUB_UNRESOLVED: 'memberUnresolved',
  UNKNOWN_TOOLSET: 'assertionUnknownToolset',
  REPLAYED: 'assertionReplayed',
};

export function refuseAssertion(reason: AssertionReason | 'REPLAYED'): ApiError {
  // The message names member_external_id (spec 7), although the claim sub is wrong.
  return refuse[names[reason]](reason === 'SUB_UNRESOLVED' ? { details: { field: 'sub' } } : {});
}
