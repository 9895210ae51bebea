// ID-JAGs: the checks of one in their order, and the report on one. Without a server: the dashboard shows it.

import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { idJagChecks } from './rules.ts';

export const idJagToDebug = z
  .strictObject({
    // Any type: the report says if it is not a string.
    assertion: z
      .unknown()
      .optional()
      .meta({ description: 'The JWT', override: { type: 'string' } }),
  })
  .meta({ id: 'IdJagToDebug' });

export type IdJagToDebug = z.infer<typeof idJagToDebug>;

export const idJagReport = z
  .strictObject({
    object: z.literal('id_jag_report'),
    is_valid: z.boolean().meta({ description: 'Whether the token endpoint would accept it now' }),
    failed_check: z
      .enum(idJagChecks)
      .nullable()
      .meta({ description: 'The first check that failed; null if it would be accepted' }),
    server_time: timestamp.meta({
      description: "The server's clock, which `iat` and `exp` are compared with",
    }),
    checks: z
      .array(
        z.strictObject({
          check: z.enum(idJagChecks).meta({ description: 'Name of the check' }),
          status: z
            .enum(['pass', 'fail', 'skipped'])
            .meta({ description: '`skipped`: not checked because an earlier check failed' }),
          requires: z.string().meta({ description: 'What the check requires' }),
          found: z.string().nullable().meta({ description: 'What is wrong; null unless it failed' }),
        }),
      )
      .meta({ description: 'Every check, in the order the token endpoint makes them' }),
  })
  .meta({ id: 'IdJagReport' });

export type IdJagReport = z.infer<typeof idJagReport>;
