// The input and the result of explain-signature.ts.

import { z } from 'zod';
import { limitedText } from '../../api/fields.ts';
import { lineNames } from './signature.ts';

const line = limitedText(16_384);

export const receivedRequest = z
  .strictObject({
    headers: z.record(limitedText(256), line).meta({ description: 'As they were received' }),
    body: z.string().default('').meta({ description: 'The raw body' }),
    body_encoding: z.enum(['utf8', 'base64']).default('utf8'),
    method: line.optional(),
    host: line.optional().meta({ description: 'The Host header, as received' }),
    path: line.optional().meta({ description: 'As received; needed when the endpoint_path has placeholders' }),
    query: line.optional().meta({ description: 'As received, without the `?`' }),
    canonical_string: limitedText(65_536).optional().meta({ description: 'The string your own code made' }),
  })
  .meta({ id: 'ReceivedRequest' });

export const signatureCheck = z
  .strictObject({
    object: z.literal('signature_check'),
    is_valid: z
      .boolean()
      .meta({ description: 'A signature matches, its time is within the window and no line differs' }),
    signature: z.enum(['current', 'previous', 'different', 'missing']).meta({ description: 'Which secret made it' }),
    timestamp: z.strictObject({
      value: z.string().nullable(),
      age_seconds: z.int().nullable().meta({ description: 'Negative: ahead of our clock' }),
      is_within_window: z.boolean(),
    }),
    lines: z.array(z.strictObject({ name: z.enum(lineNames), ours: z.string(), yours: z.string().nullable() })),
    first_difference: z
      .strictObject({ line: z.int(), name: z.string(), ours: z.string().nullable(), yours: z.string().nullable() })
      .nullable(),
    advice: z.string(),
  })
  .meta({ id: 'SignatureCheck' });

export type SignatureCheck = z.infer<typeof signatureCheck>;
export type Received = z.infer<typeof receivedRequest>;
