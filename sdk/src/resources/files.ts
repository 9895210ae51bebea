// /projects/{id}/files: the generated methods, and the bytes of files, which are streams if you like.

import type { Api, CallOptions } from '../api.ts';
import { files as generated } from '../methods.ts';
import type { File } from '../types.ts';

/** A stream is sent as it is read, and only once; all others again if the connection breaks. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string | ReadableStream<Uint8Array>;

export type UploadOptions = CallOptions & {
  /** Default: the name of a browser's `File`, otherwise `file`. */
  name?: string | undefined;
  /** The media type. Default: the type of a `Blob`, otherwise `application/octet-stream`. */
  contentType?: string | undefined;
};

type Files = ReturnType<typeof generated> & {
  /** Upload a file. Pass its `id` to a tool as an argument with the format `file`. */
  upload(content: FileContent, options?: UploadOptions): Promise<File>;
  /** Download a file: read the response's `body` as a stream, or call `arrayBuffer()`. `range`: part of the file, such as `bytes=0-1023`. */
  content(id: string, options?: Pick<CallOptions, 'signal'> & { range?: string | undefined }): Promise<Response>;
};

/** As long as the server waits for an upload. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

export function files(api: Api): Files {
  return {
    ...generated(api),
    upload: (content, { name = nameOf(content), contentType, ...options } = {}) =>
      api.send(
        'POST /projects/{project_id}/files',
        {},
        {
          query: name === undefined ? {} : { name },
          content: { bytes: content, type: contentType ?? typeOf(content) },
          options,
          hasIdempotencyKey: true,
          timeoutMs: UPLOAD_TIMEOUT_MS,
          ...(content instanceof ReadableStream && { repetition: 'never' }),
        },
      ),
    content: (id, { signal, range } = {}) =>
      api.open(
        'GET /projects/{project_id}/files/{file_id}/content',
        { file_id: id },
        { headers: { accept: '*/*', ...(range !== undefined && { range }) }, options: { signal } },
      ),
  };
}

const typeOf = (content: FileContent) =>
  content instanceof Blob && content.type !== '' ? content.type : 'application/octet-stream';

function nameOf(content: FileContent): string | undefined {
  const name: unknown = content instanceof Blob ? Reflect.get(content, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
