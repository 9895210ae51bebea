// Numbers that parsing has changed: an integer that a double cannot represent exactly, which could then identify another record, or
// one too large for a double.

/** From here on JavaScript writes a number with an exponent, as the caller most likely did: its digits are not exact anyway. */
const EXPONENT_FROM = 1e21;

/** The paths of the first of them, `most` at most. The depth of what was parsed is limited. */
export function inexactNumbers(value: object, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  search(value, '', found, most);
  return found;
}

function search(value: object, path: string, found: string[], most: number): void {
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'number') {
      const size = Math.abs(member);
      if (size > Number.MAX_SAFE_INTEGER && (size < EXPONENT_FROM || size === Number.POSITIVE_INFINITY))
        found.push(path + name);
    } else if (typeof member === 'object' && member !== null) search(member, `${path}${name}.`, found, most);
    if (found.length >= most) return;
  }
}
