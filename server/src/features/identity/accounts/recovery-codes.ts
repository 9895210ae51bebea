// Recovery codes: for a person who lost the device with the authenticator app. 80 random bits each, so a fast hash is enough.

import { hash, randomBytes } from 'node:crypto';
import { sameBytes } from '../../../secrets/tokens.ts';

const COUNT = 10;
/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 4;

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, randomLetter).join('')).join('-'),
  );
}

/** 248 is a multiple of 31: larger bytes would make some letters more likely. */
function randomLetter(): string {
  for (;;) {
    const [byte = 255] = randomBytes(1);
    if (byte < 248) return ALPHABET[byte % ALPHABET.length] as string;
  }
}

/** Bound to the account, so that equal codes of two accounts have different hashes. Spaces, dashes and case do not matter. */
export function hashRecoveryCode(account_id: string, code: string): Buffer {
  return hash('sha256', `${account_id} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`, 'buffer');
}

/** Returns the codes that are left after this one was used, or null if it is not one of them. */
export function useRecoveryCode(left: Buffer[], given: Buffer): Buffer[] | null {
  const others = left.filter((each) => !sameBytes(each, given));
  return others.length === left.length ? null : others;
}
