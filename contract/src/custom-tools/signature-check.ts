// A signed request as the customer received it, and why its signature does or does not match.

import { z } from 'zod';
import { limitedText } from '../fields.ts';
import { bodyEncodings } from './rules.ts';

/** The lines of the string that is signed, in their order. */
export const signedLines = [
  'version',
  'timestamp',
  'request_id',
  'method',
  'host',
  'path',
  'query',
  'body_sha256',
  'project_id',
  'integration_id',
  'member_id',
] as const;

export const signatureStates = ['current', 'previous', 'different', 'missing'] as const;

const line = limitedText(16_384);

export const receivedRequest = z
  .strictObject({
    headers: z.record(limitedText(256), line).meta({ description: 'The request headers as they were received' }),
    body: z.string().default('').meta({ description: 'The raw body, before any parsing' }),
    body_encoding: z
      .enum(bodyEncodings)
      .default('utf8')
      .meta({ description: 'How `body` is written here; `base64` for bytes that are not text' }),
    method: line.optional().meta({ description: 'The HTTP method, as received' }),
    host: line.optional().meta({ description: 'The Host header, as received' }),
    path: line
      .optional()
      .meta({ description: 'The path, as received; needed when the endpoint_path has placeholders' }),
    query: line.optional().meta({ description: 'The query, as received, without the `?`' }),
    signature: line
      .optional()
      .meta({ description: 'X-Toolgate-Signature, if it is not in `headers`; with or without `v1=`' }),
    canonical_string: limitedText(65_536)
      .optional()
      .meta({ description: 'The string that your own code signed; each of its lines is compared' }),
  })
  .meta({ id: 'ReceivedRequest' });

export const signatureCheck = z
  .strictObject({
    object: z.literal('signature_check'),
    is_valid: z
      .boolean()
      .meta({ description: 'A signature matches, its time is within the window and no line differs' }),
    headers_present: z.boolean().meta({ description: 'All headers that every signed call has were given' }),
    missing_headers: z.array(z.string()).meta({ description: 'Those that were not given' }),
    signature_matches: z
      .boolean()
      .meta({ description: 'A secret of this tool signed the request as it is given here, whatever your string is' }),
    timestamp_is_fresh: z.boolean().meta({ description: 'At most 300 seconds from our clock' }),
    signature: z
      .enum(signatureStates)
      .meta({ description: 'Which secret made the received signature; `different`: none of them' }),
    timestamp: z
      .strictObject({
        value: z.string().nullable().meta({ description: 'X-Toolgate-Timestamp, as received' }),
        age_seconds: z.int().nullable().meta({ description: 'Negative: ahead of our clock' }),
        is_within_window: z.boolean().meta({ description: 'At most 5 minutes before or after our clock' }),
      })
      .meta({ description: 'The time that was signed' }),
    lines: z
      .array(
        z.strictObject({
          name: z.enum(signedLines).meta({ description: 'What the line contains' }),
          ours: z.string().meta({ description: 'The line as it is signed' }),
          yours: z.string().nullable().meta({ description: 'The line as received; null: it was not given' }),
        }),
      )
      .meta({ description: 'The string that is signed, line by line' }),
    first_difference: z
      .strictObject({
        line: z.int().meta({ description: 'Number of the line, from 1' }),
        name: z
          .string()
          .meta({ description: 'What the line contains; `nothing`: there is no such line in our string' }),
        ours: z.string().nullable().meta({ description: 'The line as it is signed' }),
        yours: z.string().nullable().meta({ description: 'The line as received' }),
      })
      .nullable()
      .meta({ description: 'The first line that differs; null: none does' }),
    advice: z.string().meta({ description: 'What to change, in one or two sentences' }),
  })
  .meta({ id: 'SignatureCheck' });

export type SignatureCheck = z.infer<typeof signatureCheck>;
export type ReceivedRequest = z.infer<typeof receivedRequest>;
