// How the arguments become the body of a request, as fields of the tool's form, and back.

import {
  type BodyEncoding,
  bodyFormats,
  bodyStyleNames,
  takesBody,
} from '@toolgate/contract/custom-tools/body-format.ts';
import type { CustomTool } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { optionsOf } from '../../ui/forms/options.ts';
import { required } from '../../ui/forms/schemas.ts';

export const formats = optionsOf(bodyFormats, {
  json: 'JSON',
  form: 'Form (URL-encoded)',
  multipart: 'Multipart form',
  raw: 'Raw: one argument',
});

/** One argument. What is empty is left out; a format does not use all of it. */
const encodingRow = z.object({
  name: required('Enter the name of the argument'),
  style: z.enum(['', ...bodyStyleNames]),
  explode: z.enum(['', 'true', 'false']),
  content_type: z.string(),
});

type EncodingRow = z.infer<typeof encodingRow>;

export const newEncoding = (): EncodingRow => ({ name: '', style: '', explode: '', content_type: '' });

/** It means nothing in the other styles. */
export const takesExplode = (style: string) => style === '' || style === 'form';

export const bodyFields = {
  body_format: z.enum(bodyFormats),
  body_encoding: z
    .array(encodingRow)
    .check(z.refine((rows) => new Set(rows.map(({ name }) => name)).size === rows.length, 'Name each argument once')),
  body_argument: z.string(),
  body_content_type: z.string(),
};

const bodySchema = z.object(bodyFields);

type BodyValues = z.infer<typeof bodySchema>;
type BodyFields = Pick<CustomTool, keyof BodyValues>;

export function bodyValuesOf(tool: CustomTool | null): BodyValues {
  return {
    body_format: tool?.body_format ?? 'json',
    body_encoding: Object.entries(tool?.body_encoding ?? {}).map(rowOf),
    body_argument: tool?.body_argument ?? '',
    body_content_type: tool?.body_content_type ?? '',
  };
}

const rowOf = ([name, { style, explode, content_type }]: [string, BodyEncoding]): EncodingRow => ({
  name,
  style: style ?? '',
  explode: explode === undefined ? '' : explode ? 'true' : 'false',
  content_type: content_type ?? '',
});

export type FormFormat = 'form' | 'multipart';

export const isForm = (format: BodyValues['body_format']): format is FormFormat =>
  format === 'form' || format === 'multipart';

function encodingsOf(format: FormFormat, rows: EncodingRow[]): Record<string, BodyEncoding> {
  const entries = rows.map(({ name, style, explode, content_type }): [string, BodyEncoding] => {
    if (format === 'multipart') return [name, content_type === '' ? {} : { content_type }];
    return [name, { ...(style === '' ? {} : { style }), ...(explode === '' ? {} : { explode: explode === 'true' }) }];
  });
  return Object.fromEntries(entries);
}

/** What the format uses; the fields of the others are not shown. A method without a body has none. */
export function bodyFieldsOf(values: BodyValues & { method: string }): BodyFields {
  const body_format = takesBody(values.method) ? values.body_format : 'json';
  const isRaw = body_format === 'raw';
  return {
    body_format,
    body_encoding: isForm(body_format) ? encodingsOf(body_format, values.body_encoding) : {},
    body_argument: (isRaw && values.body_argument) || null,
    body_content_type: (isRaw && values.body_content_type) || null,
  };
}
