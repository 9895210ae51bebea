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
    is_valid: z.boolean(),
    code: shown.meta({ description: 'The error code of the exchange; null: it would issue a token' }),
    message: shown,
    server_time: timestamp,
    clock_difference_seconds: z.number().nullable().meta({
      description: "The signer's clock minus ours, by `iat`; positive: ahead. Includes the time since it was signed",
    }),
    expires_in_seconds: z.number().nullable(),
    rules: z.array(
      z.strictObject({
        rule: z.enum([...(Object.keys(steps) as StepName[]), 'replay']),
        status: z.enum(['pass', 'fail', 'skipped']),
        requires: z.string(),
        code: shown,
        message: shown,
        found: shown,
        how_to_fix: shown,
      }),
    ),
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
