// Small rules for text that holds a number or a name.

/** "1 call", "2 calls", "1,000 calls". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Marks that set the direction of what comes after them. A name may hold some: in a sentence they would turn the rest of it. */
export function withoutDirection(text: string): string {
  return text.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '');
}
