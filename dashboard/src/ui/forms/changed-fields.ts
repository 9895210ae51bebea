// What a form changes of something that is stored.

/** Only the fields that differ: what others changed meanwhile stays, and a save without changes sends nothing. */
export function changedFields<Fields extends object>(fields: Fields, stored: object): Partial<Fields> {
  const before = stored as Record<string, unknown>;
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
