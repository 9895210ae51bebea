// The report of a test of a provider.

import { z } from 'zod';

export const oauthProviderChecks = ['discovery', 'keys', 'credentials'] as const;

export const oauthProviderCheckOutcomes = ['passed', 'failed', 'not_reached'] as const;

export const oauthProviderReport = z
  .strictObject({
    object: z.literal('oauth_provider_report'),
    provider_id: z.string().meta({ description: 'Id of the OAuth provider' }),
    passed: z.boolean().meta({ description: 'Whether no check failed' }),
    checks: z
      .array(
        z.strictObject({
          check: z.enum(oauthProviderChecks).meta({ description: 'What was checked' }),
          outcome: z.enum(oauthProviderCheckOutcomes).meta({ description: 'not_reached: an earlier check failed' }),
          reason: z.string().nullable().meta({ description: 'Why it failed or was not reached' }),
          remedy: z.string().nullable().meta({ description: 'How to fix it' }),
        }),
      )
      .meta({ description: 'Every check, in the order it was made' }),
  })
  .meta({ id: 'OAuthProviderReport' });

export type OAuthProviderReport = z.infer<typeof oauthProviderReport>;
