// About how much memory a value takes. Cheap rather than exact: it only has to keep a few large values from filling it.

const MOST_PARTS = 50_000;
/** Of an object, of a member, of a number: V8 takes between 8 and 80 bytes. */
const PART_BYTES = 40;
/** A function brings the code and the closure that nobody can look into. */
const FUNCTION_BYTES = 1_000;

/** In bytes, at least 1. What is met twice counts twice, and what has very many parts as if the rest were like the first. */
export function estimateSize(value: unknown): number {
  const open: unknown[] = [value];
  let bytes = 0;
  let parts = 0;
  while (open.length > 0 && parts < MOST_PARTS) {
    const part = open.pop();
    parts += 1;
    bytes += PART_BYTES + ownBytes(part);
    for (const inner of partsOf(part)) open.push(inner);
  }
  return Math.ceil((bytes * (parts + open.length)) / parts);
}

function ownBytes(part: unknown): number {
  if (typeof part === 'string') return part.length * 2;
  if (typeof part === 'function') return FUNCTION_BYTES;
  return ArrayBuffer.isView(part) ? part.byteLength : 0;
}

function partsOf(part: unknown): Iterable<unknown> {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return [];
  if (Array.isArray(part) || part instanceof Set) return part;
  return part instanceof Map ? [...part].flat() : Object.entries(part).flat();
}
