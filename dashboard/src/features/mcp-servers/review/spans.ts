// The parts of a line that look different: what changed in it, text that people should look at, and characters that nobody sees.

import { hiddenIn } from '@toolgate/contract/hidden-characters.ts';
import { lookAlikesIn } from '@toolgate/contract/look-alikes.ts';
import { suspiciousTexts } from '@toolgate/contract/mcp-servers/definition-text.ts';
import { align } from './align.ts';

export type Span = { text: string; isChanged: boolean; look: 'plain' | 'suspicious' | 'invisible' };

const suspicious = Object.values(suspiciousTexts).map((pattern) => new RegExp(pattern, `${pattern.flags}g`));

/** `other`: the line that it is compared with; null: it is not. */
export function spansOf(text: string, other: string | null): Span[] {
  const isChanged = other === null ? [] : changedIn(text, other);
  const looks: Span['look'][] = [];
  for (const pattern of suspicious)
    for (const { 0: found, index } of text.matchAll(pattern)) fill(looks, { text: found, index }, 'suspicious');
  for (const found of lookAlikesIn(text)) fill(looks, found, 'suspicious');
  for (const found of hiddenIn(text)) fill(looks, found, 'invisible');
  const spans: Span[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const look = looks[i] ?? 'plain';
    const span = { text: text[i] ?? '', isChanged: look === 'plain' && (isChanged[i] ?? false), look };
    const last = spans.at(-1);
    if (last && last.isChanged === span.isChanged && last.look === span.look) last.text += span.text;
    else spans.push(span);
  }
  return spans;
}

function fill(looks: Span['look'][], { text, index }: { text: string; index: number }, look: Span['look']): void {
  for (let i = index; i < index + text.length; i += 1) looks[i] = look;
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];

/** For each unit of `text`, whether its word is not in `other`. */
function changedIn(text: string, other: string): boolean[] {
  return align(wordsOf(other), wordsOf(text), (word) => word).flatMap(({ now, isSame }) =>
    now === null ? [] : Array<boolean>(now.length).fill(!isSame),
  );
}
