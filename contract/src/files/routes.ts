// /projects/{id}/files: upload, read, download and delete files.

import { z } from 'zod';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { file } from './file.ts';

const tag = 'Files';

const WHOSE =
  'A file belongs to the member who uploaded it, otherwise to the API key, otherwise to the OAuth client. Other callers get 404, except keys with `admin`.';

const bytes = {
  description:
    'The bytes of the file, or with `Range` some of them (206). It has the headers `Content-Disposition: attachment`, `X-Content-Type-Options: nosniff` and `Content-Security-Policy: sandbox`, so that browsers do not run its content.',
  content: { '*/*': { schema: z.string().meta({ format: 'binary' }), example: 'Revenue: 48,213 USD\n' } },
};

export const fileRoutes = defineRoutes({
  getFile: {
    method: 'GET',
    path: '/projects/:project_id/files/:file_id',
    access: 'tool',
    tag,
    summary: 'Get a file',
    description: `Name, type, size and SHA-256 of a file, and a new \`url\` that works for 15 minutes without a credential. ${WHOSE}`,
    response: file,
  },
  getFileContent: {
    method: 'GET',
    path: '/projects/:project_id/files/:file_id/content',
    access: 'tool',
    tag,
    summary: 'Download a file',
    description: `The bytes of the file. With a \`Range\` of one part, the response contains only that part; with several, the whole file. ${WHOSE}`,
    headers: z.looseObject({
      range: z.string().optional().meta({ description: 'Some of the bytes, such as `bytes=0-1023`' }),
    }),
    response: bytes,
    errors: ['rangeNotSatisfiable'],
  },
  deleteFile: {
    method: 'DELETE',
    path: '/projects/:project_id/files/:file_id',
    access: 'tool',
    tag,
    summary: 'Delete a file',
    description: `The file is deleted, and its links stop working immediately. This cannot be undone. ${WHOSE}`,
    response: null,
  },
});

/** Apart from the others, because its body is read in another way. */
export const fileUploadRoutes = defineRoutes({
  uploadFile: {
    method: 'POST',
    path: '/projects/:project_id/files',
    access: 'tool',
    tag,
    summary: 'Upload a file',
    description:
      'The body is the bytes of the file, with their media type in `Content-Type`. Pass its `id` to a tool as an argument with the format `file`. A file can have at most 25 MB (413), all files of a member 100 MB, and all files of an organization 1 GB (409). The file is deleted after the time in the project setting `file_retention_seconds`; if it is 0, uploads are refused with 409.',
    query: z.strictObject({
      name: z.string().min(1).max(1_024).optional().meta({
        description:
          'The name of the file. Paths, control characters and invisible characters are removed, and it is shortened to 200 bytes. Default: `file`',
        example: 'report.pdf',
      }),
    }),
    consumes: ['*/*'],
    body: z.unknown().meta({ description: 'The bytes of the file', override: { type: 'string', format: 'binary' } }),
    response: file,
    status: 201,
    errors: ['limitReached', 'filesNotStored'],
    takes_idempotency_key: true,
  },
});

export const files = defineResource({
  chapters: { Files: 'Files that are uploaded for tools, and that tools return' },
  routes: { ...fileUploadRoutes, ...fileRoutes },
});
