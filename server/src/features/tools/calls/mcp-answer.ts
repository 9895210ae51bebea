// The result of a tool of an MCP server, as JSON text: what of it is passed on, shaped and recorded.

import { type ApiError, refuse } from '../../../errors/errors.ts';
import { isObject, McpProblem } from '../../../mcp-client/message.ts';
import { redactSecrets } from '../../../outbound/redact-secrets.ts';

export type McpAnswer = {
  /** The content blocks as they came, separated by commas. */
  content: string;
  structured: string | null;
  /** The text of all text blocks; null without text blocks. */
  text: string | null;
  /** Images and audio, which shaping leaves alone. */
  media: string;
  /** The tool ran, and says that it failed. */
  is_error: boolean;
};

/** Throws an McpProblem for what is no result. The server's `_meta` is left out. */
export function readAnswer(result: Record<string, unknown>, secret_forms: readonly Buffer[]): McpAnswer {
  const { content = [], structuredContent } = result;
  if (!Array.isArray(content) || !content.every(isBlock))
    throw new McpProblem('protocol', 'The result has content that is not of a known kind');
  if (structuredContent === undefined && !('content' in result))
    throw new McpProblem('protocol', 'The result has no content');
  const blocks = content.map((block) => redactText(JSON.stringify(block), secret_forms));
  const texts = content.flatMap((block) =>
    block.type === 'text' ? [redactText(String(block.text), secret_forms)] : [],
  );
  const isMedia = (_: string, index: number) => ['image', 'audio'].includes(String(content[index]?.type));
  return {
    content: blocks.join(','),
    structured: structuredContent === undefined ? null : redactText(JSON.stringify(structuredContent), secret_forms),
    text: texts.length === 0 ? null : texts.join('\n'),
    media: blocks.filter(isMedia).join(','),
    is_error: result.isError === true,
  };
}

/** A server may repeat the credential that it got. */
export function redactText(text: string, secret_forms: readonly Buffer[]): string {
  if (secret_forms.length === 0) return text;
  const bytes = Buffer.from(text);
  redactSecrets(bytes, false, secret_forms);
  return bytes.toString();
}

/** Clients refuse a whole result over a block of a kind that they do not know. */
function isBlock(block: unknown): block is Record<string, unknown> {
  if (!isObject(block)) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string';
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string';
    case 'resource':
      return isObject(block.resource) && typeof block.resource.uri === 'string';
    default:
      return false;
  }
}

/** The result as a hook changed it: content blocks stay content. Undefined: it is JSON or text like that of other tools. */
export function changedAnswer({ structured }: McpAnswer, value: unknown): McpAnswer | undefined {
  const text = JSON.stringify(value);
  if (structured !== null)
    return { content: JSON.stringify({ type: 'text', text }), structured: text, text, media: '', is_error: false };
  return Array.isArray(value) && value.every(isBlock) ? readAnswer({ content: value }, []) : undefined;
}

const MAX_TEXT_BYTES = 2048;

/** At most 2 KiB of a text of the server. */
export function shortText(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= MAX_TEXT_BYTES
    ? text
    : new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: true });
}

/** What a tool said about its failure, for callers over MCP: they get it as it came. */
const contents = new WeakMap<ApiError, string>();

/** `shown` is the body without what the tool redacts. */
export function toolFailure(answer: McpAnswer, { body, shown }: { body: Buffer; shown: Buffer }): ApiError {
  const text = shown === body ? (answer.text ?? answer.structured ?? '') : shown.toString();
  const refusal = refuse.toolFailedUpstream({ details: { body: shortText(text) } });
  contents.set(refusal, shown === body ? answer.content : JSON.stringify({ type: 'text', text }));
  return refusal;
}

export const failureContent = (refusal: ApiError) => contents.get(refusal);
