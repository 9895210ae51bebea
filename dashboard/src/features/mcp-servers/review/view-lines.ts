// The HTML of a view as lines that can be compared. Bundled scripts have lines of megabytes, which are broken where statements and tags end.

import type { Line } from './lines.ts';

const LONG = 200;
const LONGEST = 400;

export function htmlLines(html: string): Line[] {
  return html
    .split('\n')
    .flatMap(brokenUp)
    .map((text) => ({ path: '', indent: 0, text, isLast: true }));
}

function brokenUp(text: string): string[] {
  if (text.length <= LONG) return [text];
  const parts = text.match(/[^>;{}]*[>;{}]|[^>;{}]+$/g) ?? [];
  return parts.flatMap((part) => part.match(new RegExp(`[^]{1,${LONGEST}}`, 'gu')) ?? []);
}
