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
    code: shown.meta({ description: 'The error code of the exchange; null: it would issue a token' }),
    message: shown.meta({ description: 'The error message of the exchange; null: it would issue a token' }),
    server_time: timestamp.meta({
      description: "The server's clock at this moment, which `iat` and `exp` are compared with",
    }),
    clock_difference_seconds: z.number().nullable().meta({
      description: "The signer's clock minus ours, by `iat`; positive: ahead. Includes the time since it was signed",
    }),
    expires_in_seconds: z
      .number()
      .nullable()
      .meta({ description: 'Seconds until `exp`; negative: it has expired, null: there is no `exp` to read' }),
    rules: z
      .array(
        z.strictObject({
          rule: z.enum(assertionRules).meta({ description: 'Name of the rule' }),
          status: z
            .enum(assertionRuleStatuses)
            .meta({ description: '`skipped`: it could not be checked because an earlier rule failed' }),
          requires: z.string().meta({ description: 'What the rule requires' }),
          code: shown.meta({
            description: 'The error code of the exchange if this is the first rule to fail; null unless it failed',
          }),
          message: shown.meta({ description: 'The error message that belongs to `code`' }),
          found: shown.meta({ description: 'What the assertion has; null if there is nothing to show' }),
          how_to_fix: shown.meta({ description: 'What to change in the code that signs; null unless it failed' }),
        }),
      )
      .meta({ description: 'Every rule, in the order in which the exchange checks them' }),
  })
  .meta({ id: 'AssertionReport' });

export type AssertionReport = z.infer<typeof assertionReport>;
