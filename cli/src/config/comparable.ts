// Entries of a configuration file in a form in which equal ones are equal.

export type Fields = Record<string, unknown>;

/** Lists of texts are sets for the API: their order is not a difference. */
export function comparable(fields: Fields): Fields {
  const isTexts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string');
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isTexts(value) ? value.toSorted(compareText) : value]),
  );
}

/** By code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
