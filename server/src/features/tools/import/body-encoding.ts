// The encoding of one member of a form: that of the document, where the member can be written so.

import {
  type BodyEncoding,
  bodyStyles,
  isJsonMediaType,
  isMediaType,
} from '@toolgate/contract/custom-tools/body-format.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import { encodingProblem } from '../catalogue/body-rules.ts';

/** Null: the standard one. `given` is from the document. */
export function encodingOf(
  body_format: 'form' | 'multipart',
  given: unknown,
  schema: unknown,
  $defs: Record<string, unknown>,
): BodyEncoding | null {
  const { style, explode, contentType } = isObject(given) ? given : {};
  const content_type = typeof contentType === 'string' && isMediaType(contentType) ? contentType : undefined;
  if (body_format === 'multipart') return content_type === undefined ? null : { content_type };
  const isKnown = typeof style === 'string' && Object.hasOwn(bodyStyles, style);
  const isJson = content_type !== undefined && isJsonMediaType(content_type);
  const wanted: BodyEncoding = isJson
    ? { style: 'json' }
    : {
        ...(isKnown ? { style: style as BodyEncoding['style'] } : {}),
        // It means nothing in another style.
        ...(explode === false && (!isKnown || style === 'form') ? { explode } : {}),
      };
  const root = { $defs };
  if (encodingProblem(root, schema, wanted) === null) return Object.keys(wanted).length === 0 ? null : wanted;
  return encodingProblem(root, schema) === null ? null : { style: 'deepObject' };
}
