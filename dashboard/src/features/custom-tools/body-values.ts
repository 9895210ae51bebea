// How the arguments become the body of a request, as fields of the tool's form, and back.

import { bodyFormats, takesBody } from '@toolgate/contract/custom-tools/body-format.ts';
import type { CustomTool } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { optionsOf } from '../../ui/forms/options.ts';
import { jsonText } from './json-text.ts';

export const formats = optionsOf(bodyFormats, {
  json: 'JSON',
  form: 'Form (URL-encoded)',
  multipart: 'Multipart form',
  raw: 'Raw: one argument',
});

export const bodyFields = {
  body_format: z.enum(bodyFormats),
  /** Empty: none. */
  body_encoding: z.union([z.literal(''), jsonText]),
  body_argument: z.string(),
  body_content_type: z.string(),
};

const bodySchema = z.object(bodyFields);

type BodyValues = z.infer<typeof bodySchema>;
type BodyFields = Pick<CustomTool, keyof BodyValues>;

export function bodyValuesOf(tool: CustomTool | null): BodyValues {
  const encoding = tool?.body_encoding ?? {};
  return {
    body_format: tool?.body_format ?? 'json',
    body_encoding: Object.keys(encoding).length > 0 ? JSON.stringify(encoding, null, 2) : '',
    body_argument: tool?.body_argument ?? '',
    body_content_type: tool?.body_content_type ?? '',
  };
}

export const isForm = (format: BodyValues['body_format']) => format === 'form' || format === 'multipart';

/** What the format uses; the fields of the others are not shown. A method without a body has none. */
export function bodyFieldsOf(values: BodyValues & { method: string }): BodyFields {
  const body_format = takesBody(values.method) ? values.body_format : 'json';
  const isRaw = body_format === 'raw';
  return {
    body_format,
    body_encoding: isForm(body_format) && values.body_encoding !== '' ? JSON.parse(values.body_encoding) : {},
    body_argument: (isRaw && values.body_argument) || null,
    body_content_type: (isRaw && values.body_content_type) || null,
  };
}
