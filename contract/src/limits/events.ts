// The event of a limit that was reached.

import { z } from 'zod';
import type { EventKind } from '../events/event-kind.ts';
import { exampleIds } from '../ids.ts';
import { limitSubjects } from './rules.ts';

const reached = z
  .strictObject({
    limit_id: z.string().meta({ description: 'Id of the limit' }),
    name: z.string().meta({ description: 'Name of the limit' }),
    per: z.enum(limitSubjects).meta({ description: 'Whose calls are counted together' }),
    subject_id: z.string().meta({ description: 'Whose call was refused' }),
    limit: z.int().meta({ description: 'The limit for that subject' }),
    window_seconds: z.int().meta({ description: 'The length of its window' }),
    tool_id: z.string().meta({ description: 'The tool that was called' }),
  })
  .meta({ id: 'LimitReached' });

export const limitEvents = {
  'limit.reached': {
    description: 'A call exceeded a limit; recorded at most once an hour for each subject of a limit',
    data: reached,
    example: {
      limit_id: exampleIds.limit_id,
      name: 'Searches per member',
      per: 'member',
      subject_id: exampleIds.member_id,
      limit: 100,
      window_seconds: 3600,
      tool_id: exampleIds.tool_id,
    },
    readable_with: 'read',
  },
} satisfies Record<string, EventKind>;
