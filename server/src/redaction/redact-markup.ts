// Redacts XML and HTML: the content of an element with a sensitive name, and the value of an element whose attribute names it,
// such as <add key="ApiKey" value="…"/>. Attributes with a sensitive name are found like other assignments. Markup that is
// itself escaped (&lt;password&gt;) counts too.

import { REDACTED, type RedactionContext } from './context.ts';

type Signs = { lt: string; gt: string };
type Tag = { name: string; attributes: string; start: number; end: number; is_empty: boolean };

const tagName = /[A-Za-z_][\w.:-]{0,127}/y;
const naming = /(?:^|\s)(?:name|key|property|field|param|id)\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const valueAttribute = /((?:^|\s)(?:value|content|val|text)\s{0,8}=\s{0,8})(?:"[^"]*"?|'[^']*'?|[^\s"'>]+)/gi;

export function redactMarkup(text: string, context: RedactionContext): string {
  const plain = text.includes('<') ? redactTags(text, { lt: '<', gt: '>' }, context) : text;
  return plain.includes('&lt;') ? redactTags(plain, { lt: '&lt;', gt: '&gt;' }, context) : plain;
}

function redactTags(text: string, signs: Signs, context: RedactionContext): string {
  const lower = text.toLowerCase();
  let out = '';
  let done = 0;
  let from = 0;
  /** The element before named this one, as in <key>password</key><string>…</string>. */
  let wasNamed = false;
  for (let tag = nextTag(text, from, signs); tag; tag = nextTag(text, from, signs)) {
    from = tag.end;
    const local = tag.name.slice(tag.name.indexOf(':') + 1);
    const isNamedByAttribute = wasNamed || context.sensitivityOf(namedBy(tag.attributes)) !== null;
    wasNamed = namesNext(text, tag, local, signs, context);
    if (isNamedByAttribute && valueAttribute.test(tag.attributes)) {
      out += text.slice(done, tag.start) + tag.attributes.replace(valueAttribute, `$1"${REDACTED}"`);
      done = tag.start + tag.attributes.length;
    } else if ((isNamedByAttribute || context.sensitivityOf(local)) && !tag.is_empty) {
      const end = endOfContent(text, lower, tag, signs);
      if (end <= tag.end) continue;
      out += text.slice(done, tag.end) + REDACTED;
      done = end;
      from = end;
    }
    valueAttribute.lastIndex = 0;
  }
  return out + text.slice(done);
}

/** `start` is where the attributes begin. A tag that does not end before the next one is not read; the last one may be cut. */
function nextTag(text: string, from: number, { lt, gt }: Signs): Tag | null {
  for (let at = text.indexOf(lt, from); at !== -1; at = text.indexOf(lt, at + lt.length)) {
    tagName.lastIndex = at + lt.length;
    const name = tagName.exec(text)?.[0];
    if (name === undefined) continue;
    const start = at + lt.length + name.length;
    const next = text.indexOf(lt, start);
    const found = text.slice(start, next === -1 ? text.length : next).indexOf(gt);
    if (found === -1 && next !== -1) continue;
    const close = found === -1 ? text.length - start : found;
    const attributes = text.slice(start, start + close);
    return { name, attributes, start, end: start + close + gt.length, is_empty: attributes.endsWith('/') };
  }
  return null;
}

function namedBy(attributes: string): string {
  const found = naming.exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

function namesNext(text: string, { end }: Tag, local: string, { lt }: Signs, context: RedactionContext): boolean {
  if (!/^(?:key|name|field|param)$/i.test(local)) return false;
  const content = text.slice(end, end + 128);
  const close = content.indexOf(`${lt}/`);
  return close !== -1 && context.sensitivityOf(content.slice(0, close).trim()) !== null;
}

/** Without an end tag: the end of the text, which may be cut; of a placeholder, as in "login <password> now", nothing. */
function endOfContent(text: string, lower: string, { name, end }: Tag, { lt }: Signs): number {
  const closing = lower.indexOf(`${lt}/${name.toLowerCase()}`, end);
  if (closing !== -1) return closing;
  const isPlaceholder = /^\s+(?!&lt;|[\s<])/.test(text.slice(end, end + 256)) || end === text.length;
  return isPlaceholder ? end : text.length;
}
