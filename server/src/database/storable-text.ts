// PostgreSQL text cannot hold NUL and lone surrogates, which JSON strings may contain.

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Checks every string and member name of a value that is stored as jsonb. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorableJson(member));
}
