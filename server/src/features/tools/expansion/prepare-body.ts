// How the arguments that neither the path nor a header has are sent: decided when the tool is prepared, so that a call only encodes.

import { randomBytes } from 'node:crypto';
import { type BodyFormat, nestingOf, takesBody } from '@toolgate/contract/custom-tools/body-format.ts';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { fileArgumentsOf, MAX_BASE64_BYTES } from '@toolgate/contract/custom-tools/file-arguments.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import { expandForm, MAX_LENGTH } from './expand-form.ts';
import { expandMultipart } from './expand-multipart.ts';
import { type BodyParts, NO_FILES, type SentFiles } from './sent-file.ts';

type Values = Record<string, unknown>;

export type SentBody = {
  /** The arguments that go to the query. */
  in_query: Values | null;
  body: string | BodyParts | null;
  /** Where it is not the same for every call. */
  content_type: string | null;
};

/** Adds to `problems` what the arguments cannot be encoded with; then the result is of no use. */
export type EncodeBody = (rest: Values, problems: Problem[], files?: SentFiles) => SentBody;

type BodyFields = Pick<
  CustomToolDefinition,
  'method' | 'body_format' | 'body_encoding' | 'body_argument' | 'body_content_type'
> & { input_schema?: CustomToolDefinition['input_schema'] };

export function prepareBody(fields: BodyFields): EncodeBody {
  return takesBody(fields.method) ? encoders[fields.body_format](fields) : encodeQuery;
}

/** Files are base64 in a form. */
const MAX_LENGTH_WITH_FILES = MAX_LENGTH + Math.ceil((MAX_BASE64_BYTES / 3) * 4) + 64;

const encodeQuery: EncodeBody = (rest) => ({ in_query: rest, body: null, content_type: null });
const encodeJson: EncodeBody = (rest) => ({ in_query: null, body: JSON.stringify(rest), content_type: null });

const encoders: Record<BodyFormat, (fields: BodyFields) => EncodeBody> = {
  json: () => encodeJson,

  form({ body_encoding, input_schema = {} }) {
    const max_length = fileArgumentsOf(input_schema).length > 0 ? MAX_LENGTH_WITH_FILES : undefined;
    const nestings = new Map(Object.entries(body_encoding).map(([name, given]) => [name, nestingOf(given)]));
    const standard = nestingOf();
    const ofArgument = (name: string) => nestings.get(name) ?? standard;
    return (rest, problems) => ({
      in_query: null,
      body: expandForm(rest, ofArgument, problems, max_length),
      content_type: null,
    });
  },

  multipart({ body_encoding }) {
    const types = new Map(Object.entries(body_encoding).map(([name, { content_type }]) => [name, content_type]));
    return (rest, problems, files = NO_FILES) => {
      const boundary = `toolgate-${randomBytes(18).toString('hex')}`;
      const body = expandMultipart(rest, { contentTypeOf: (name) => types.get(name), boundary, files }, problems);
      return { in_query: null, body, content_type: `multipart/form-data; boundary=${boundary}` };
    };
  },

  raw({ body_argument, body_content_type }) {
    const name = body_argument as string;
    return (rest, problems, files = NO_FILES) => {
      const { [name]: value, ...in_query } = rest;
      const file = files.get(name);
      if (file) return { in_query, body: [file], content_type: body_content_type ?? file.content_type };
      if (value === undefined) return { in_query, body: null, content_type: null };
      if (typeof value !== 'string')
        return { in_query, body: JSON.stringify(value), content_type: body_content_type ?? 'application/json' };
      if (!value.isWellFormed()) problems.push({ field: name, message: 'must be well-formed text' });
      return { in_query, body: value, content_type: body_content_type ?? 'text/plain; charset=utf-8' };
    };
  },
};

/** The Content-Type of every request, where it is always the same. */
export function fixedContentType({ method, body_format }: BodyFields): string | null {
  if (!takesBody(method)) return null;
  if (body_format === 'form') return 'application/x-www-form-urlencoded';
  return body_format === 'json' ? 'application/json' : null;
}
