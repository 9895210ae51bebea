// File arguments: properties at the top of an input_schema that take a file. Without zod: the dashboard ships it to browsers.

/** Decoded. */
export const MAX_DATA_URI_BYTES = 64 * 1024;

/** Of all files of a call that are sent as base64. MB is 10⁶ bytes. */
export const MAX_BASE64_BYTES = 5_000_000;

const FORMATS: readonly unknown[] = ['file', 'binary'];

/** Their names, in the order of the schema. */
export function fileArgumentsOf({ properties }: { properties?: unknown }): string[] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties as Record<string, unknown>)
    .filter(([, property]) => isFileProperty(property))
    .map(([name]) => name);
}

function isFileProperty(property: unknown): boolean {
  if (typeof property !== 'object' || property === null) return false;
  const { type, format } = property as { type?: unknown; format?: unknown };
  return type === 'string' && FORMATS.includes(format);
}
