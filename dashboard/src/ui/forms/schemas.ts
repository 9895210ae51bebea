// Schemas of fields that several forms have. Lengths and forms are those of the contract; the messages are for people.

import { isEmail, MIN_PASSWORD_LENGTH } from '@toolgate/contract/accounts/rules.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '@toolgate/contract/text-limits.ts';
import * as z from 'zod/mini';

export const atMost = (length: number) => z.maxLength(length, `Use at most ${length.toLocaleString('en')} characters`);

/** Spaces around it are removed. */
export const required = (message: string) => z.string().check(z.trim(), z.minLength(1, message));

export const resourceName = required('Enter a name').check(atMost(MAX_NAME_LENGTH));
export const optionalName = z.string().check(z.trim(), atMost(MAX_NAME_LENGTH));
export const resourceDescription = z.string().check(z.trim(), atMost(MAX_DESCRIPTION_LENGTH));
export const email = z.string().check(z.trim(), z.refine(isEmail, 'Enter an email address'));
export const newPassword = z
  .string()
  .check(z.minLength(MIN_PASSWORD_LENGTH, `Use at least ${MIN_PASSWORD_LENGTH} characters`));
