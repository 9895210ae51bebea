// The view of a tool (MCP Apps) that an MCP server has: its HTML, and the pin by which it is reviewed and approved.

import { createHash } from 'node:crypto';
import type { ViewProblem } from '@toolgate/contract/mcp-servers/rules.ts';
import type { ToolView, ViewCsp } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { isStorableText } from '../../../../database/storable-text.ts';
import { isObject } from '../../../../mcp-client/message.ts';
import { redactText } from './redact-definition.ts';

const MAX_HTML_BYTES = 2 * 2 ** 20;
const MAX_URI_LENGTH = 2_048;
const MAX_ORIGINS = 50;

/** What hosts would grant, and this server does not pass on. */
const droppedNames = ['permissions', 'domain'] as const;
const droppedOfCsp = ['frameDomains', 'baseUriDomains'] as const;

/** The view that a definition names; null: none, or nothing that can be one. */
export function viewUriOf({ _meta }: Record<string, unknown>, secrets: readonly string[]): string | null {
  if (!isObject(_meta)) return null;
  const uri = (isObject(_meta.ui) ? _meta.ui.resourceUri : undefined) ?? _meta['ui/resourceUri'];
  if (typeof uri !== 'string' || !uri.startsWith('ui://') || uri.length > MAX_URI_LENGTH) return null;
  return isStorableText(uri) && !secrets.some((secret) => uri.includes(secret)) ? uri : null;
}

type PinnedView = { pin: ToolView; html: Buffer | null };

export const failedView = (uri: string, problem: ViewProblem): PinnedView => ({
  pin: { uri, sha256: null, size: null, csp: null, prefers_border: null, dropped: {}, problem },
  html: null,
});

/** `result`: of `resources/read`. `listed`: what the list of resources says in `_meta`. */
export function pinView(
  uri: string,
  result: Record<string, unknown>,
  { listed, secrets }: { listed: Record<string, unknown> | null; secrets: readonly string[] },
): PinnedView {
  const contents = Array.isArray(result.contents) ? result.contents.filter(isObject) : [];
  const content = contents.find((each) => each.uri === uri) ?? contents[0];
  if (!content) return failedView(uri, 'not_readable');
  const given = textOf(content);
  if (given === null || !isView(content.mimeType)) return failedView(uri, 'not_html');
  const html = Buffer.from(redactText(given, secrets));
  if (html.length > MAX_HTML_BYTES) return failedView(uri, 'too_large');
  const { ui } = isObject(content._meta) && isObject(content._meta.ui) ? content._meta : (listed ?? {});
  const settings = isObject(ui) ? ui : {};
  const given_csp = isObject(settings.csp) ? settings.csp : {};
  const csp = readCsp(given_csp);
  if (csp === null) return failedView(uri, 'origin_not_allowed');
  const dropped = { ...pick(given_csp, droppedOfCsp), ...pick(settings, droppedNames) };
  const { prefersBorder: border } = settings;
  const pin = {
    uri,
    sha256: createHash('sha256').update(html).digest('hex'),
    size: html.length,
    csp,
    prefers_border: typeof border === 'boolean' ? border : null,
    dropped,
    problem: null,
  };
  return { pin, html };
}

const isView = (type: unknown) =>
  typeof type === 'string' && /^text\/html\s*;\s*profile\s*=\s*"?mcp-app"?\s*$/i.test(type);

function textOf({ text, blob }: Record<string, unknown>): string | null {
  if (typeof text === 'string') return text;
  return typeof blob === 'string' ? Buffer.from(blob, 'base64').toString() : null;
}

function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const isSaid = (value: unknown) =>
    isObject(value) ? Object.keys(value).length > 0 : !Array.isArray(value) || value.length > 0;
  return Object.fromEntries(
    names.flatMap((name) => (from[name] !== undefined && isSaid(from[name]) ? [[name, from[name]]] : [])),
  );
}

/** Null: it names what is no origin that a view may reach. */
function readCsp({ connectDomains, resourceDomains }: Record<string, unknown>): ViewCsp | null {
  const connect_domains = readOrigins(connectDomains, ['https', 'wss']);
  const resource_domains = readOrigins(resourceDomains, ['https']);
  return connect_domains && resource_domains && { connect_domains, resource_domains };
}

/** Hosts put them into the header as they are: nothing but an origin may be in them. */
const ORIGIN =
  /^([a-z]+):\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?\/?$/i;

function readOrigins(given: unknown, schemes: string[]): string[] | null {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || given.length > MAX_ORIGINS) return null;
  const isAllowed = (origin: unknown): origin is string =>
    typeof origin === 'string' &&
    origin.length <= 255 &&
    schemes.includes(ORIGIN.exec(origin)?.[1]?.toLowerCase() ?? '');
  return given.every(isAllowed) ? given.map((origin) => origin.replace(/\/$/, '').toLowerCase()) : null;
}
