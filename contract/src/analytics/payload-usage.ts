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
      .meta({ description: 'How much a project can record per UTC day', example: MAX_PAYLOAD_BYTES_PER_DAY }),
    used_bytes: z.int().meta({
      description:
        'How much was recorded today. After the limit is reached, arguments and results of further calls are not recorded',
    }),
    resets_at: timestamp.meta({ description: 'When the next day begins' }),
  })
  .meta({ id: 'PayloadUsage' });

export type PayloadUsage = z.infer<typeof payloadUsage>;
