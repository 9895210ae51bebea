// The customer's own id of a person: the `sub` of an assertion, or `member_external_id` outside production.

import { isStorableText } from '../../../database/storable-text.ts';

/** 1 to 255 characters, not blank, without control characters. */
export function isExternalId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 255 &&
    value.trim() !== '' &&
    !/\p{Control}/u.test(value) &&
    // Different unpaired surrogates are stored as the same replacement character: two people would be one member.
    isStorableText(value)
  );
}
