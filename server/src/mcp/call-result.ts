// Builds the JSON text of a tools/call result from parts that are JSON text already.

type ResultParts = {
  /** The content blocks, separated by commas. */
  content: string;
  structured?: string | null;
  is_error?: boolean;
  /** Members of `_meta`. */
  meta: string[];
  /** The member of `_meta` that 2026-07-28 requires on every result; null in older revisions. */
  server_info: string | null;
};

export function callResultText({
  content,
  structured = null,
  is_error = false,
  meta,
  server_info,
}: ResultParts): string {
  const start = server_info === null ? '{' : '{"resultType":"complete",';
  const object = structured === null ? '' : `,"structuredContent":${structured}`;
  const error = is_error ? ',"isError":true' : '';
  const members = (server_info === null ? meta : [...meta, server_info]).join(',');
  return `${start}"content":[${content}]${object}${error},"_meta":{${members}}}`;
}

export function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}
