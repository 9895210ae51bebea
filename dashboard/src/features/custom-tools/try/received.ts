// A request as a person pastes it: a request line and headers as text, or the headers as JSON.

import type { ToolRequestPreview } from '@toolgate/sdk';

export type Received = { headers: Record<string, string>; method?: string; path?: string; query?: string };

const REQUEST_LINE = /^([A-Za-z]+) (\/\S*)( HTTP\/[\d.]+)?$/;

/** A string says what is wrong. */
export function parseReceived(text: string): Received | string {
  const [first = '', ...others] = text.trim().split(/\r?\n/);
  const line = REQUEST_LINE.exec(first.trim());
  const headers = readHeaders(line ? others.join('\n') : text);
  if (typeof headers === 'string') return headers;
  if (!line) return { headers };
  const [path = '', query = ''] = (line[2] ?? '').split(/\?(.*)/s);
  return { headers, method: line[1] ?? '', path, query };
}

function readHeaders(text: string): Record<string, string> | string {
  if (text.trim().startsWith('{')) return readJson(text);
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([^\s:]+)\s*:(.*)$/.exec(line) ?? [];
    if (name === undefined) return `This line is not a header (name: value): ${line.trim().slice(0, 80)}`;
    headers[name] = (value ?? '').trim();
  }
  return headers;
}

function readJson(text: string): Record<string, string> | string {
  try {
    const pairs = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
  } catch {
    return 'This is not JSON. Paste one header on each line instead.';
  }
}

/** The same text for a request that toolgate would send. */
export function writeReceived({ method, url, headers }: ToolRequestPreview): string {
  const { pathname, search } = new URL(url ?? 'https://unknown.invalid/');
  return [`${method} ${pathname}${search} HTTP/1.1`, ...Object.entries(headers).map((pair) => pair.join(': '))].join(
    '\n',
  );
}
