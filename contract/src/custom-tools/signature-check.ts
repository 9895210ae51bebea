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
    headers: z.record(limitedText(256), line).meta({ description: 'The request headers, as received' }),
    body: z.string().default('').meta({ description: 'The raw body, before any parsing' }),
    body_encoding: z
      .enum(bodyEncodings)
      .default('utf8')
      .meta({ description: 'The encoding of `body`; `base64` for bytes that are not text' }),
    method: line.optional().meta({ description: 'The HTTP method, as received' }),
    host: line.optional().meta({ description: 'The Host header, as received' }),
    path: line.optional().meta({ description: 'The path, as received; required if endpoint_path has placeholders' }),
    query: line.optional().meta({ description: 'The query, as received, without the `?`' }),
    signature: line
      .optional()
      .meta({ description: 'X-Toolgate-Signature, if it is not in `headers`; with or without `v1=`' }),
    canonical_string: limitedText(65_536)
      .optional()
      .meta({ description: 'The string your own code signed; each line is compared' }),
  })
  .meta({ id: 'ReceivedRequest' });

export const signatureCheck = z
  .strictObject({
    object: z.literal('signature_check'),
    is_valid: z
      .boolean()
      .meta({ description: 'Whether a signature matches, its time is within the window and no line differs' }),
    headers_present: z.boolean().meta({ description: 'Whether you sent every header that a signed call has' }),
    missing_headers: z.array(z.string()).meta({ description: 'The headers that are missing' }),
    signature_matches: z.boolean().meta({
      description:
        "Whether one of this tool's secrets signed the request as you sent it here, regardless of your own string",
    }),
    timestamp_is_fresh: z
      .boolean()
      .meta({ description: "Whether the time is at most 300 seconds from the server's clock" }),
    signature: z
      .enum(signatureStates)
      .meta({ description: 'The secret that made the received signature; `different`: none of them' }),
    timestamp: z
      .strictObject({
        value: z.string().nullable().meta({ description: 'X-Toolgate-Timestamp, as received' }),
        age_seconds: z
          .int()
          .nullable()
          .meta({ description: "Age of the signature; negative if it is ahead of the server's clock" }),
        is_within_window: z
          .boolean()
          .meta({ description: "Whether the time is at most 5 minutes before or after the server's clock" }),
      })
      .meta({ description: 'The signed time' }),
    lines: z
      .array(
        z.strictObject({
          name: z.enum(signedLines).meta({ description: 'What the line contains' }),
          ours: z.string().meta({ description: 'The line as it was signed' }),
          yours: z.string().nullable().meta({ description: 'The line as received; null if it was not given' }),
        }),
      )
      .meta({ description: 'The signed string, line by line' }),
    first_difference: z
      .strictObject({
        line: z.int().meta({ description: 'Number of the line, from 1' }),
        name: z.string().meta({ description: 'What the line contains; `nothing`: our string has no such line' }),
        ours: z.string().nullable().meta({ description: 'The line as it was signed' }),
        yours: z.string().nullable().meta({ description: 'The line as received' }),
      })
      .nullable()
      .meta({ description: 'The first line that differs; null if none does' }),
    advice: z.string().meta({ description: 'What to change, in one or two sentences' }),
  })
  .meta({ id: 'SignatureCheck' });

export type SignatureCheck = z.infer<typeof signatureCheck>;
export type ReceivedRequest = z.infer<typeof receivedRequest>;
