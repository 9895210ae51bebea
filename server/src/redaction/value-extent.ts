// Where the value after a name begins and ends, in text whose syntax is not known: quoted, in brackets, as a block of YAML, or as
// words. An end that is missing is the end of the text, which may be cut.

import type { Place } from './name-before.ts';

export type Extent = { start: number; end: number; kind: 'quoted' | 'container' | 'block' | 'word' };

type Options = Place & {
  /** The separator is `%3D`: so is what follows. */
  is_encoded: boolean;
  /** The value goes on to the end of the line, as that of a header. */
  is_line: boolean;
};

const openingQuote = /(?:[bru]{1,2}(?=["']))?(\\{0,16}["'`]|&quot;|&#34;|&#x22;|&apos;|&#39;|%22|%27|%5C%22)/iy;
/** Tags and anchors of YAML: `!!binary`, `&a`. */
const yamlPrefix = /(?:[!&][\w!/.:-]{1,64}[ \t]+){0,2}/y;
const blockScalar = /[|>][-+0-9]{0,2}[ \t]*(?:#[^\r\n]{0,256})?(?=\r?\n|$)/y;
const nextName = /[ \t]{0,8}[\p{L}\p{N}_.[\]%$@-]{1,64}(?:[ \t][\p{L}\p{N}_-]{1,64})?[ \t]?(=|:)/uy;

export function valueExtent(text: string, given: number, options: Options): Extent | null {
  const start = options.is_at_line_start ? matchEnd(yamlPrefix, text, given) : given;
  if (start >= text.length) return null;
  if (text[start] === '\n' || text[start] === '\r') return blockAfter(text, start, options);
  const quote = matchAt(openingQuote, text, start);
  if (quote) return quoted(text, start + quote[0].length, quote[1] ?? '');
  if (options.is_at_line_start) {
    const block = matchAt(blockScalar, text, start);
    if (block) return blockAfter(text, start + block[0].length, options);
  }
  if (text[start] === '{' || text[start] === '[') return bracketed(text, start, options);
  return words(text, start, options);
}

function quoted(text: string, start: number, mark: string): Extent {
  const triple = mark.length === 1 && text.startsWith(mark + mark, start);
  if (triple) {
    const end = text.indexOf(mark.repeat(3), start + 2);
    return { start: start + 2, end: end === -1 ? text.length : end, kind: 'quoted' };
  }
  return { start, end: closingQuote(text, start, mark), kind: 'quoted' };
}

/** A quote with more backslashes before it than the opening one has is a part of the value. */
function closingQuote(text: string, start: number, mark: string): number {
  const bare = mark.replace(/^\\+/, '');
  const escapes = mark.length - bare.length;
  for (let at = text.indexOf(bare, start); at !== -1; at = text.indexOf(bare, at + 1)) {
    let before = at;
    while (before > start && text[before - 1] === '\\') before -= 1;
    const count = at - before;
    // An even number of backslashes is a value that ends with some.
    if (count <= escapes || (escapes === 0 && count % 2 === 0)) return before + Math.max(0, count - escapes);
  }
  return text.length;
}

function bracketed(text: string, start: number, options: Options): Extent {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' || (character === "'" && !/\w/.test(text[at - 1] ?? ''))) {
      at = closingQuote(text, at + 1, character);
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth > 0) continue;
      // {SSHA}… is a value that begins with a bracket.
      if (isEndOfWord(text, at + 1)) return { start, end: at + 1, kind: 'container' };
      return { start, end: words(text, at + 1, options)?.end ?? at + 1, kind: 'word' };
    }
  }
  return { start, end: text.length, kind: 'container' };
}

/** The lines below that are indented more; or the next line, if it is one word. */
function blockAfter(text: string, given: number, { is_at_line_start, indent }: Options): Extent | null {
  let end = given;
  while (is_at_line_start && end < text.length) {
    const line = lineAt(text, end);
    const content = line.text.trimStart();
    const isItem = content.startsWith('- ') && line.text.length - content.length >= indent;
    if (content !== '' && line.text.length - content.length <= indent && !isItem) break;
    end = line.end;
  }
  if (text.slice(given, end).trim() !== '') return blockExtent(text, given, end);
  const next = lineAt(text, given);
  const isOneWord = /^\S{1,512}$/.test(next.text.trim()) && !/[:=]$|^\S{1,64}[:=]/.test(next.text.trim());
  return isOneWord ? blockExtent(text, given, next.end) : null;
}

function blockExtent(text: string, given: number, end: number): Extent {
  const start = given + (text.slice(given, end).length - text.slice(given, end).trimStart().length);
  return { start, end, kind: 'block' };
}

/** The line that follows the line break at `at`. */
function lineAt(text: string, at: number): { text: string; end: number } {
  const start = at + (text.startsWith('\r\n', at) ? 2 : 1);
  const found = text.slice(start).search(/\r?\n|$/);
  return { text: text.slice(start, start + found), end: start + found };
}

function words(text: string, start: number, options: Options): Extent | null {
  let at = start;
  while (at < text.length && !endsHere(text, at, options)) at += 1;
  const { end } = options.is_at_line_start ? withContinuation(text, at, options) : { end: at };
  return { start, end, kind: 'word' };
}

/** A value of YAML, a folded header and a line that ends with a backslash go on in the lines below that are indented more. */
function withContinuation(text: string, at: number, options: Options): { end: number } {
  if (at >= text.length || (text[at] !== '\n' && text[at] !== '\r')) return { end: at };
  const block = blockAfter(text, at, options);
  const isIndented = block !== null && /[ \t]/.test(text[block.start - 1] ?? '');
  return { end: isIndented ? (block as Extent).end : at };
}

function endsHere(text: string, at: number, { is_at_line_start, is_line, is_encoded }: Options): boolean {
  const character = text[at] as string;
  if (character === '\n' || character === '\r') return true;
  if (is_encoded) return /[\s&"'<>]/.test(character) || text.startsWith('%26', at);
  const isMiddle = !is_at_line_start && !is_line;
  if (character === ' ' || character === '\t') return isMiddle || (!is_line && isNextName(text, at, '='));
  if (character === '&' || character === ';' || character === ',')
    return !is_line && isNextName(text, at + 1, character === '&' ? '=' : '=:');
  if (character === '<') return /[/a-z!]/i.test(text[at + 1] ?? '');
  if (is_at_line_start) return false;
  return /["'`)\]}>]/.test(character) && isEndOfWord(text, at + 1);
}

const isEndOfWord = (text: string, at: number) => at >= text.length || /[\s,.;:)}\]&<>"'`\\]/.test(text[at] as string);

function isNextName(text: string, at: number, separators: string): boolean {
  const found = matchAt(nextName, text, at);
  return found !== null && separators.includes(found[1] as string);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const matchEnd = (pattern: RegExp, text: string, at: number) => at + (matchAt(pattern, text, at)?.[0].length ?? 0);
