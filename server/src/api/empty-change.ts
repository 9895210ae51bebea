// A PATCH without any field changes nothing, so it records no event and no audit entry.

export function isEmptyChange(change: object): boolean {
  return Object.values(change).every((value) => value === undefined);
}
