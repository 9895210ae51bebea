// Small rules for text that holds a number or a name.

import { hiddenIn } from '@toolgate/contract/hidden-characters.ts';

/** "1 call", "2 calls", "1,000 calls". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

const units = ['bytes', 'KiB', 'MiB', 'GiB'];

/** "300 bytes", "1.5 KiB", "256 MiB". Never more than there are: 255.99 MiB is "255.9 MiB". */
export function bytes(number: number): string {
  let [value, unit] = [number, 0];
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${(Math.floor(value * 10) / 10).toLocaleString('en')} ${units[unit]}`;
}

/** Like `split`, with the hidden characters as items of their own. */
export function splitAtHidden(text: string): { text: string; isHidden: boolean }[] {
  const parts: { text: string; isHidden: boolean }[] = [];
  let end = 0;
  for (const { text: found, index } of hiddenIn(text)) {
    if (index > end) parts.push({ text: text.slice(end, index), isHidden: false });
    parts.push({ text: found, isHidden: true });
    end = index + found.length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isHidden: false });
  return parts;
}

/** `U+202E` */
export const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** For places that hold only text: titles, options, sentences. Everywhere else use the component Name. */
export function showHidden(text: string): string {
  return splitAtHidden(text)
    .map((part) => (part.isHidden ? `[${codePoint(part.text)}]` : part.text))
    .join('');
}

/** "340 ms", "12 s", "5 min 3 s", "2 h 10 min": the two largest units. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10_000) return `${Math.round(milliseconds).toLocaleString('en')} ms`;
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts =
    hours > 0
      ? [`${hours} h`, minutes > 0 && `${minutes} min`]
      : [minutes > 0 && `${minutes} min`, seconds % 60 > 0 && `${seconds % 60} s`];
  return parts.filter(Boolean).join(' ');
}

/** "71.4%" */
export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)}%`;
}
