// Text as HTML.

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
