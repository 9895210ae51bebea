// The customer's own name for a person: the `sub` of an assertion, or `member_external_id` in development.

import { isStorableText } from '../../json/storable-text.ts';

/** 1 to 255 characters, not blank, without control characters. */
export function isExternalId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 255 &&
    value.trim() !== '' &&
    !/\p{Control}/u.test(value) &&
    // Two different half surrogates would be stored as the same replacement character: one member for two names.
    isStorableText(value)
  );
}
