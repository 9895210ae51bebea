// Estimates the memory of a value. Fast, not exact: it only has to prevent a few large values from filling the memory.

const MAX_PARTS = 50_000;
/** For an object, a member or a number V8 needs between 8 and 80 bytes. */
const PART_BYTES = 40;
/** The code and the closure of a function cannot be inspected. */
const FUNCTION_BYTES = 1_000;

/** In bytes, at least 1. A value that is referenced twice counts twice; beyond MAX_PARTS the rest is extrapolated. */
export function estimateSize(value: unknown): number {
  const open: unknown[] = [value];
  let bytes = 0;
  let parts = 0;
  while (open.length > 0 && parts < MAX_PARTS) {
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
