// POST /assertion-keys/debug: reports how the exchange would verify an assertion, rule by rule. It writes nothing.

import { z } from 'zod';
import { type Caller, projectOf } from '../../access/caller.ts';
import { timestamp } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { type AssertionReport, explainAssertion } from './explain-assertion.ts';
import { findActiveKey } from './find-active-key.ts';
import { isJtiUsed } from './used-jti.ts';
import { type StepName, steps } from './verify-assertion.ts';

export const assertionToDebug = z
  .strictObject({
    // Any type: the report says if it is not a string.
    member_assertion: z
      .unknown()
      .optional()
      .meta({ description: 'The JWT', override: { type: 'string' } }),
  })
  .meta({ id: 'AssertionToDebug' });

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
          rule: z.enum([...(Object.keys(steps) as StepName[]), 'replay']).meta({ description: 'Name of the rule' }),
          status: z
            .enum(['pass', 'fail', 'skipped'])
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

export async function debugAssertion(
  app: App,
  caller: Caller,
  { member_assertion }: z.infer<typeof assertionToDebug>,
): Promise<AssertionReport> {
  const { id: project_id } = projectOf(caller);
  return explainAssertion({
    token: member_assertion,
    project_id,
    now: app.now(),
    findKey: (kid) => findActiveKey(app, project_id, kid),
    isJtiUsed: (jti) => isJtiUsed(app, project_id, jti),
  });
}
