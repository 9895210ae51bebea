// What a person reads before they confirm a call. Made of the call alone, one line for each argument: no argument can add lines, hide
// or reorder text, or be cut off.

const MAX_BYTES = 2048;

type Called = { title: string; method: string; host: string };

/** Null if not all of it fits: then nothing is shown in part. */
export function confirmationMessage(tool: Called, given: Record<string, unknown>): string | null {
  const lines = [`Confirm: ${visible(tool.title)}`, `${tool.method} ${tool.host}`, ...argumentLines(given)];
  const message = lines.join('\n');
  return Buffer.byteLength(message) <= MAX_BYTES ? message : null;
}

/** `name: value`, both as JSON; a plain name has no quotes. */
export function argumentLines(given: Record<string, unknown>): string[] {
  return Object.entries(given).map(([name, value]) => `${shownName(name)}: ${visible(JSON.stringify(value))}`);
}

const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/;

const shownName = (name: string) => (PLAIN.test(name) ? name : visible(JSON.stringify(name)));

/** Everything that has no glyph of its own: control, format, private and unassigned characters, all spaces but one, and fillers. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** As JSON escapes, which mean the same inside of quotes. */
export const visible = (text: string) =>
  text.replace(INVISIBLE, (character) => (character === ' ' ? character : escaped(character)));

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
