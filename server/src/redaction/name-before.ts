// The name that stands before a `:` or `=`, with or without quotes.

export type NameBefore = {
  name: string;
  start: number;
  end: number;
  is_quoted: boolean;
};

/** Where a name is on its line. It decides where its value ends. */
export type Place = {
  /** It is the first thing on its line, but for indentation, `- ` or `export`. */
  is_at_line_start: boolean;
  /** Columns before it, which decide what belongs to it in YAML. */
  indent: number;
};

const MAX_NAME = 128;
const MAX_SPACES = 64;
/** `"`, `\"`, `&quot;`, `%22`. */
const closingQuote = /(?:\\{0,16}["'`]|&quot;|&#34;|&#x22;|&apos;|&#39;|%22|%27)$/i;
const LONGEST_QUOTE = 17;
const quoteEnds = '"\'`;27';
/** Encoded signs before which a name begins: space, & , / : ; = ? */
const encodedBoundary = /%(?:20|26|2C|2F|3A|3B|3D|3F)/iy;
const otherLetter = /[\p{L}\p{N}\p{M}\p{Cf}]/u;
const lineStart = /(?:^|[\r\n])([ \t]*(?:[-*>#?] *)*(?:(?:export|set|env|declare -x|let|const|var) +)?)$/i;

/** `floor`: where what is already replaced ends. */
export function nameBefore(text: string, separator: number, floor: number): NameBefore | null {
  let end = separator;
  while (end > floor && separator - end < MAX_SPACES && isSpace(text[end - 1])) end -= 1;
  // As print_r and var_dump of PHP write it: [password] =>, ["password"]=>
  if (text[end - 1] === ']') end -= 1;
  if (!quoteEnds.includes(text[end - 1] ?? ' ')) return unquotedName(text, end, floor);
  const mark = closingQuote.exec(text.slice(Math.max(floor, end - LONGEST_QUOTE), end))?.[0];
  return mark === undefined ? unquotedName(text, end, floor) : quotedName(text, end - mark.length, floor, mark);
}

function quotedName(text: string, end: number, floor: number, mark: string): NameBefore | null {
  const bare = mark.replace(/^\\+/, '');
  const from = Math.max(floor, end - MAX_NAME);
  const opening = text.slice(from, end).lastIndexOf(bare);
  const start = opening === -1 ? from : from + opening + bare.length;
  return start === end ? null : { name: unescaped(text.slice(start, end)), start, end, is_quoted: true };
}

function unquotedName(text: string, end: number, floor: number): NameBefore | null {
  let start = end;
  while (start > floor && end - start < MAX_NAME && isNameCharacter(text.charCodeAt(start - 1))) {
    encodedBoundary.lastIndex = start - 1;
    if (text[start - 1] === '%' && encodedBoundary.test(text)) {
      start = Math.min(end, start + 2);
      break;
    }
    start -= 1;
  }
  if (start === end) return null;
  return { name: unescaped(text.slice(start, end)), start, end, is_quoted: false };
}

/** The name with one to four words before it on its line, for names with spaces. */
export function phrasesBefore(text: string, floor: number, { end, is_quoted }: NameBefore): string[] {
  if (is_quoted) return [];
  const line =
    text
      .slice(Math.max(floor, end - MAX_NAME), end)
      .split(/[\r\n]/)
      .at(-1) ?? '';
  const words = line.split(/[ \t]+/);
  return [2, 3, 4, 5].filter((count) => count <= words.length).map((count) => words.slice(-count).join(' '));
}

export function placeOf(text: string, { start }: NameBefore): Place {
  const line = lineStart.exec(text.slice(Math.max(0, start - MAX_SPACES), start));
  // A text that is longer than what was looked at does not begin there.
  const is_at_line_start = line !== null && (start < MAX_SPACES || /[\r\n]/.test(line[0]));
  return { is_at_line_start, indent: line?.[1]?.length ?? 0 };
}

/** Names of forms are encoded (`user%5Bpassword%5D`), and names of JSON can be escaped (`pass\u0077ord`). */
function unescaped(name: string): string {
  if (!name.includes('%') && !name.includes('\\')) return name;
  return name
    .replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9A-Fa-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const isSpace = (character: string | undefined) => character === ' ' || character === '\t';

const asciiName = new Set(
  [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]$@%*-'].map((each) => each.charCodeAt(0)),
);

/** Halves of surrogate pairs belong to a name too. */
function isNameCharacter(code: number): boolean {
  if (code < 128) return asciiName.has(code);
  return (code >= 0xd800 && code < 0xe000) || otherLetter.test(String.fromCharCode(code));
}
