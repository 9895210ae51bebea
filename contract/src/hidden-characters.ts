// Characters that nobody sees in a text: what models read in it, and people do not. Without zod: the dashboard ships it to browsers.

const TAGS = String.raw`[\u{E0061}-\u{E007A}]`;
/** Scripts whose words need joiners. */
const JOINED = `[${['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil']
  .concat(['Telugu', 'Kannada', 'Malayalam', 'Sinhala'])
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}]`;

/** What ends with such a character and is seen: inside of an emoji, the variant of a letter, a joiner between letters that need it. */
const seen = [
  String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}][\uFE0E\uFE0F]`,
  String.raw`[0-9#*]\uFE0F(?=\u20E3)`,
  String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]\u200D(?=\p{Extended_Pictographic})`,
  // The flags of England, Scotland and Wales.
  String.raw`\u{1F3F4}(?=\u{E0067}\u{E0062}${TAGS}{3}\u{E007F})${TAGS}{1,5}\u{E007F}?`,
  String.raw`\p{Script=Han}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`\p{Script=Mongolian}[\u180B-\u180F]`,
  String.raw`${JOINED}[\u200C\u200D](?=${JOINED})`,
].join('|');

/** Control characters but for line breaks and tabs, format characters, those of private use, separators, and all that is drawn as nothing. */
const HIDDEN = new RegExp(
  String.raw`(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800](?<!${seen})`,
  'gu',
);

/** Most texts have nothing else. To look further takes a hundred times as long. */
const PLAIN = /^[\x20-\x7e\t\n\r]*$/;

export const isPlain = (text: string) => PLAIN.test(text);

/** Each by itself, in the order of the text. */
export function hiddenIn(text: string): { index: number; text: string }[] {
  return isPlain(text) ? [] : Array.from(text.matchAll(HIDDEN), ({ 0: found, index }) => ({ index, text: found }));
}

export const hasHidden = (text: string) => !isPlain(text) && text.search(HIDDEN) !== -1;

export const withoutHidden = (text: string) => (isPlain(text) ? text : text.replace(HIDDEN, ''));
