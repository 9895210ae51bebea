// A test of single sign-on: the whole way of a sign-in, step by step, without saving anything.

import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { ssoTestSteps } from './sso-rules.ts';

export const ssoTestStatuses = ['waiting', 'passed', 'failed'] as const;
export const ssoTestOutcomes = ['passed', 'failed', 'waiting', 'not_reached'] as const;

export const ssoTestStep = z.strictObject({
  step: z.enum(ssoTestSteps).meta({ description: 'What was checked' }),
  outcome: z.enum(ssoTestOutcomes).meta({
    description: 'waiting: for the sign-in in the browser. not_reached: an earlier step failed',
  }),
  found: z.string().nullable().meta({ description: 'What was found, such as the email address and the role' }),
  reason: z.string().nullable().meta({ description: 'Why it failed' }),
  remedy: z.string().nullable().meta({ description: 'How to fix it' }),
});

export type SsoTestStep = z.infer<typeof ssoTestStep>;

export const ssoTest = z
  .strictObject({
    id: z.string(),
    object: z.literal('sso_test'),
    status: z.enum(ssoTestStatuses).meta({ description: 'waiting: for the sign-in in the browser' }),
    steps: z.array(ssoTestStep).meta({ description: 'Every step, in the order of a sign-in' }),
    authorize_url: z
      .string()
      .nullable()
      .meta({ description: 'Open it in the same browser to sign in at the provider; null if an earlier step failed' }),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'You can sign in and read the result until this time' }),
  })
  .meta({ id: 'SsoTest' });

export type SsoTest = z.infer<typeof ssoTest>;
