// HTML as text. Every value is escaped: html`<p>${name}</p>` is safe for any name.

export type Html = { readonly markup: string };

type Value = string | Html | readonly Html[] | null;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const markup = parts.reduce((text, part, i) => text + markupOf(values[i - 1] ?? null) + part);
  return { markup };
}

function markupOf(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeText(value);
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const escapeText = (text: string) =>
  showControls(text).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

/** Control and bidirectional formatting characters could change how the text around them reads: they are shown as a mark. */
const showControls = (text: string) =>
  text.toWellFormed().replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, '\ufffd');
