// Names and texts come from other people. Characters that move the cursor, turn the text around or are not seen are written as
// escapes: \u202e. Inside of JSON the escape means the same character.

/** An emoji may be followed by the sign that makes it colored. */
const unseen =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** For a whole output: tabs and line breaks are part of it. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character, at: number) => {
    const isBreak = character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n');
    return isBreak ? character : escaped(character);
  });
}

/** For a name or a sentence in a line: a line break would begin a line that looks like ours. */
export const visibleName = (text: string) => text.replace(unseen, escaped);

/** For a cell of a table: line breaks and tabs, which are common in descriptions, become spaces. */
export const visibleCell = (text: string) => visibleName(text.replace(/[\t\n\r\u2028\u2029]+/g, ' '));

export const hasUnseen = (text: string) => text.search(unseen) !== -1;

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
