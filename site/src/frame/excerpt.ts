// The part of a text that shows why it was found.

const LENGTH = 160;
/** Before the first word that was found. */
const LEAD = 40;

export function excerptOf(text: string, terms: string[]): string {
  const at = patternOf(terms).exec(text)?.index ?? 0;
  const start = at > LEAD ? text.indexOf(' ', at - LEAD) + 1 : 0;
  const end = start + LENGTH;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

/** The text with the words that were found as <mark>. */
export function mark(text: string, terms: string[]): (Node | string)[] {
  if (terms.length === 0) return [text];
  return text.split(patternOf(terms)).map((part, i) => {
    if (i % 2 === 0) return part;
    const marked = document.createElement('mark');
    marked.textContent = part;
    return marked;
  });
}

const patternOf = (terms: string[]) =>
  new RegExp(`(${terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|') || '$^'})`, 'iu');
