// Builds the JSON text of a tools/call result from parts that are JSON text already.

type ResultParts = {
  /** The content blocks, separated by commas. */
  content: string;
  structured?: string | null;
  is_error?: boolean;
  /** Members of `_meta`. */
  meta: string[];
  request: RequestMeta;
};

/** What a result has in `_meta` because of the request and not of the tool. */
export type RequestMeta = {
  request_id: string;
  /** For the link of an error to its page. */
  public_url: string;
  /** What 2026-07-28 requires on every result; null in older revisions. */
  server_info: string | null;
  /** What is left of the hourly limit; null when the request was not counted. */
  usage: string | null;
};

export function callResultText({
  content,
  structured = null,
  is_error = false,
  meta,
  request: { server_info, usage },
}: ResultParts): string {
  const start = server_info === null ? '{' : '{"resultType":"complete",';
  const object = structured === null ? '' : `,"structuredContent":${structured}`;
  const error = is_error ? ',"isError":true' : '';
  const members = [...meta, usage, server_info].filter((member) => member !== null).join(',');
  return `${start}"content":[${content}]${object}${error},"_meta":{${members}}}`;
}

export const textBlock = (text: string) => quotedBlock(JSON.stringify(text));

/** `quoted` is a JSON string. */
export function quotedBlock(quoted: string): string {
  return `{"type":"text","text":${quoted}}`;
}
