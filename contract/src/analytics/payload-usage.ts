// How many bytes of arguments and results a project has recorded today, of those that a day has.

import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** For a project, in a day by UTC: docs/design/fair-shares.md. */
export const MAX_PAYLOAD_BYTES_PER_DAY = 256 * 1024 * 1024;

export const payloadUsage = z
  .strictObject({
    object: z.literal('payload_usage'),
    limit_bytes: z
      .int()
      .meta({ description: 'What a project records in a day by UTC', example: MAX_PAYLOAD_BYTES_PER_DAY }),
    used_bytes: z.int().meta({
      description: 'What was recorded today. At the limit, the arguments and results of further calls are left out',
    }),
    resets_at: timestamp.meta({ description: 'When the next day begins' }),
  })
  .meta({ id: 'PayloadUsage' });

export type PayloadUsage = z.infer<typeof payloadUsage>;
