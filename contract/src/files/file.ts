// A file: its bytes, which are stored for some time, and how to read them.

import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { exampleIds } from '../ids.ts';

export const file = z
  .strictObject({
    object: z.literal('file'),
    id: z.string().meta({ example: exampleIds.file_id }),
    name: z.string().meta({
      description: 'The file name without its path, control characters and invisible characters; up to 200 bytes',
      example: 'report.pdf',
    }),
    content_type: z.string().meta({
      description: 'The media type that was given with it; `application/octet-stream` if it was not a valid one',
      example: 'application/pdf',
    }),
    size: z.int().meta({ description: 'In bytes', example: 48_213 }),
    sha256: z.string().meta({
      description: 'SHA-256 of its bytes, in hex',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'When it is deleted; RFC 3339, UTC' }),
    url: z.string().meta({
      description:
        'Anyone with this URL can download the file for 15 minutes. Each time you get the file, you get a new URL',
      example: `https://tools.example.com/files/${exampleIds.file_id}/report.pdf?token=…`,
    }),
    url_expires_at: timestamp.meta({ description: 'When `url` expires; RFC 3339, UTC' }),
  })
  .meta({ id: 'File' });

export type File = z.infer<typeof file>;
