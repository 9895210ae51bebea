// The result of a tool of an MCP server, as JSON text: what of it is passed on, shaped and recorded.

import { type ApiError, refuse } from '../../../../errors/errors.ts';
import { isObject, McpProblem } from '../../../../mcp-client/message.ts';
import { redactSecrets } from '../../../../outbound/redact-secrets.ts';
import type { CompiledRule } from '../../../../shaping/compile.ts';

export type McpResult = {
  /** The content blocks as they are passed on unless they are shaped, separated by commas. */
  content: string;
  structured: string | null;
  /** The text of all text blocks, else of embedded resources; null without text. */
  text: string | null;
  /** Images and audio, which shaping leaves alone. */
  media: string;
  form: Form;
  /** The tool ran, and says that it failed. */
  is_error: boolean;
};

/** What of a result is shaped, and so how it is passed on. `as_is`: nothing; `none`: it cannot be. */
type Form = 'as_is' | 'text' | 'blocks' | 'none';

/** `body`: what is shaped and recorded. */
export type ReadResponse = { mcp: McpResult; body: string; is_json: boolean };

/** `rule`: that of the tool, if it has one. Throws an McpProblem for what is no result. The server's `_meta` is left out. */
export function readResponse(
  result: Record<string, unknown>,
  secret_forms: readonly Buffer[],
  rule: CompiledRule | null,
): ReadResponse {
  const { content = [], structuredContent } = result;
  if (!Array.isArray(content) || !content.every(isBlock))
    throw new McpProblem('protocol', 'The result has content of an unknown kind');
  if (structuredContent === undefined && !('content' in result))
    throw new McpProblem('protocol', 'The result has no content');
  const textOf = (value: object) => redactText(JSON.stringify(value), secret_forms);
  const texts = textsIn(content);
  const mcp: McpResult = {
    content: content.map(textOf).join(','),
    structured: structuredContent === undefined ? null : textOf(structuredContent as object),
    text: texts.length === 0 ? null : redactText(texts.join('\n'), secret_forms),
    media: '',
    form: 'as_is',
    is_error: result.isError === true,
  };
  if (rule === null) return { mcp, body: mcp.structured ?? `[${mcp.content}]`, is_json: true };
  mcp.media = content.filter(isMedia).map(mediaAlone).map(textOf).join(',');
  return partToShape(
    mcp,
    content.filter((block) => !isMedia(block)),
    rule,
    textOf,
  );
}

/** Only images and audio are without a shape. */
function partToShape(
  mcp: McpResult,
  others: readonly Block[],
  rule: CompiledRule,
  textOf: (value: object) => string,
): ReadResponse {
  const { structured, text, media } = mcp;
  if (structured !== null) return { mcp: { ...mcp, form: 'text' }, body: structured, is_json: true };
  if (others.length === 0) return { mcp: { ...mcp, content: media }, body: `[${media}]`, is_json: true };
  // Paths are those of JSON in a text.
  const isText = text !== null && (rule.needs_json || others.every(({ type }) => type === 'text'));
  if (isText) return { mcp: { ...mcp, form: 'text' }, body: text, is_json: false };
  const body = `[${others.map(textOf).join(',')}]`;
  // What a file says is not known, and a part of it is no use.
  const isOpaque = others.some(isFile) && (rule.redact !== null || Buffer.byteLength(body) > rule.max_bytes);
  return { mcp: { ...mcp, form: rule.needs_json || isOpaque ? 'none' : 'blocks' }, body, is_json: true };
}

const MEDIA_TYPE = /^(?:image|audio)\/[a-z0-9.+-]{1,64}$/i;
const BASE64 = /^[A-Za-z0-9+/=_-]*$/;

/** Anything else in their place could be read. */
const isMedia = ({ type, data, mimeType }: Block) =>
  (type === 'image' || type === 'audio') && MEDIA_TYPE.test(String(mimeType)) && BASE64.test(String(data));
const mediaAlone = ({ type, data, mimeType }: Block) => ({ type, data, mimeType });

const isFile = ({ type, resource }: Block) =>
  type === 'image' || type === 'audio' || (isObject(resource) && typeof resource.text !== 'string');

function textsIn(content: readonly Block[]): string[] {
  const texts = content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []));
  if (texts.length > 0) return texts;
  return content.flatMap(({ resource }) =>
    isObject(resource) && typeof resource.text === 'string' ? [resource.text] : [],
  );
}

/** The content blocks of a result that was shaped, separated by commas. */
export function shapedContent({ form, media }: Pick<McpResult, 'form' | 'media'>, shaped: string): string {
  const blocks = form === 'blocks' ? shaped.slice(1, -1) : JSON.stringify({ type: 'text', text: shaped });
  return [blocks, media].filter(Boolean).join(',');
}

/** A server may repeat the credential that it got. */
export function redactText(text: string, secret_forms: readonly Buffer[]): string {
  if (secret_forms.length === 0) return text;
  const bytes = Buffer.from(text);
  redactSecrets(bytes, false, secret_forms);
  return bytes.toString();
}

type Block = Record<string, unknown>;

/** Clients refuse a whole result over a block of a kind that they do not know. */
function isBlock(block: unknown): block is Block {
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
export function changedResponse(
  { structured }: McpResult,
  value: unknown,
  rule: CompiledRule | null,
): ReadResponse | undefined {
  if (structured !== null) {
    const content = [{ type: 'text', text: JSON.stringify(value) }];
    return readResponse({ content, structuredContent: value }, [], rule);
  }
  return Array.isArray(value) && value.every(isBlock) ? readResponse({ content: value }, [], rule) : undefined;
}

const MAX_TEXT_BYTES = 2048;

/** At most 2 KiB of a text of the server. */
export function shortText(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= MAX_TEXT_BYTES
    ? text
    : new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: true });
}

/** What a tool said about its failure, for callers over MCP. */
const contents = new WeakMap<ApiError, string>();

/** `shown`: the body as the tool shapes it; null: it does not. */
export function toolFailure(response: McpResult, shown: Buffer | null): ApiError {
  const text = shown === null ? (response.text ?? response.structured ?? '') : shown.toString();
  const refusal = refuse.toolFailedUpstream({ details: { body: shortText(text) } });
  contents.set(refusal, shown === null ? response.content : shapedContent({ ...response, media: '' }, text));
  return refusal;
}

export const failureContent = (refusal: ApiError) => contents.get(refusal);
