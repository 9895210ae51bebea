// The report on an assertion: how the exchange would verify it, rule by rule.

import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** In the order in which the exchange checks them. */
export const assertionRules = [
  'shape',
  'header',
  'kid',
  'key',
  'algorithm',
  'signature',
  'claims',
  'aud',
  'times',
  'exp',
  'ttl',
  'sub',
  'jti',
  'access',
  'replay',
] as const;

export type AssertionRule = (typeof assertionRules)[number];

export const assertionRuleStatuses = ['pass', 'fail', 'skipped'] as const;

export const assertionToDebug = z
  .strictObject({
    // Any type: the report says if it is not a string.
    member_assertion: z
      .unknown()
      .optional()
      .meta({ description: 'The JWT', override: { type: 'string' } }),
  })
  .meta({ id: 'AssertionToDebug' });

export type AssertionToDebug = z.infer<typeof assertionToDebug>;

const shown = z.string().nullable();

export const assertionReport = z
  .strictObject({
    object: z.literal('assertion_report'),
    is_valid: z.boolean().meta({ description: 'Whether the exchange would issue a token now' }),
    code: shown.meta({ description: 'The error code that the exchange would return; null if it would issue a token' }),
    message: shown.meta({
      description: 'The error message that the exchange would return; null if it would issue a token',
    }),
    server_time: timestamp.meta({
      description: "The server's clock, which `iat` and `exp` are compared with",
    }),
    clock_difference_seconds: z.number().nullable().meta({
      description:
        "The signer's clock minus the server's, by `iat`; positive if it is ahead. Includes the time since the assertion was signed",
    }),
    expires_in_seconds: z
      .number()
      .nullable()
      .meta({ description: 'Seconds until `exp`; negative if it has expired, null if there is no readable `exp`' }),
    rules: z
      .array(
        z.strictObject({
          rule: z.enum(assertionRules).meta({ description: 'Name of the rule' }),
          status: z
            .enum(assertionRuleStatuses)
            .meta({ description: '`skipped`: it could not be checked because an earlier rule failed' }),
          requires: z.string().meta({ description: 'What the rule requires' }),
          code: shown.meta({
            description:
              'The error code that the exchange would return if this is the first rule to fail; null unless the rule failed',
          }),
          message: shown.meta({ description: 'The error message for `code`' }),
          found: shown.meta({ description: 'The value in the assertion; null if there is nothing to show' }),
          how_to_fix: shown.meta({ description: 'What to change in the code that signs; null unless the rule failed' }),
        }),
      )
      .meta({ description: 'Every rule, in the order the exchange checks them' }),
  })
  .meta({ id: 'AssertionReport' });

export type AssertionReport = z.infer<typeof assertionReport>;
