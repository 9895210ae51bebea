// The fields of a tool that say how its arguments become the body of a request.

import { z } from 'zod';
import { text } from '../fields.ts';
import { bodyFormats, bodyStyleNames, isMediaType } from './body-format.ts';

const MAX_ENCODINGS = 200;

const mediaType = text(1, 256).refine(isMediaType, 'must be a media type, such as text/csv');

const encoding = z
  .strictObject({
    style: z.enum(bodyStyleNames).optional().meta({
      description:
        '`form`: `a=1&a=2`, and the fields of an object as fields of their own. `brackets`: `a[]=1&a[]=2`. `deepObject`: `a[0]=1`, `a[b]=1`. `spaceDelimited`, `pipeDelimited`: one field with the items of a list. `json`: one field with JSON. By default, lists use `form` and objects `deepObject`',
    }),
    explode: z
      .boolean()
      .optional()
      .meta({ description: 'With `form`: false sends a list as `a=1,2`. It has no effect on the other styles' }),
    content_type: mediaType.optional().meta({
      description:
        'Only with `multipart`: the `Content-Type` of the parts. By default, scalars have none, and objects and lists of objects are `application/json`',
    }),
  })
  .meta({ id: 'BodyEncoding' });

export const bodyFields = {
  body_format: z.enum(bodyFormats).meta({
    description:
      'How the arguments become the body: a JSON object, a form (`application/x-www-form-urlencoded`), `multipart/form-data`, or one argument as it is (`raw`). Anything but `json` requires POST, PUT or PATCH',
  }),
  body_encoding: z
    .record(text(1, 256), encoding)
    .refine((encodings) => Object.keys(encodings).length <= MAX_ENCODINGS, `must be at most ${MAX_ENCODINGS}`)
    .meta({
      description: 'Only with `form` and `multipart`: how single arguments are written, by their names',
      example: { tags: { style: 'brackets' } },
    }),
  body_argument: text(1, 256).nullable().meta({
    description:
      'Required with `raw`, and only used there: the argument that is the body. A string is sent as it is, everything else as JSON. The other arguments go to the query',
  }),
  body_content_type: mediaType.nullable().meta({
    description:
      'Only with `raw`: the `Content-Type` of the body. By default, `text/plain; charset=utf-8` for a string, and `application/json` for everything else',
  }),
};

/** Those of every tool that was saved before there were other formats. */
export const bodyDefaults = {
  body_format: 'json',
  body_encoding: {},
  body_argument: null,
  body_content_type: null,
} as const;
