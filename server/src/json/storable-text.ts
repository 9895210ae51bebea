// JSON strings may hold what PostgreSQL text cannot: NUL and lone surrogates.

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The same for every string and member name inside a JSON value, for what is kept as jsonb. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorableJson(member));
}
