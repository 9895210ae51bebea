// What models and people are shown of a file in addition to a link: which pictures and sounds, and sizes in words. Without zod: the dashboard
// ships it to browsers.

/** Larger ones are files. */
const MAX_MEDIA_BYTES = 2 ** 20;

/** What models are shown: other pictures and sounds are files. */
const MEDIA: ReadonlyMap<string, 'image' | 'audio'> = new Map([
  ...['png', 'jpeg', 'gif', 'webp'].map((name) => [`image/${name}`, 'image'] as const),
  ...['mpeg', 'mp3', 'wav', 'x-wav', 'wave', 'vnd.wave'].map((name) => [`audio/${name}`, 'audio'] as const),
]);

/** In lower case and without parameters; empty without a type. */
export const mediaType = (content_type: string | null | undefined): string =>
  (content_type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const mediaKind = (type: string): 'image' | 'audio' | null => MEDIA.get(type) ?? null;

/** Whether MCP has content for it. */
export const isShownMedia = (content_type: string | null | undefined, size: number): boolean =>
  size <= MAX_MEDIA_BYTES && mediaKind(mediaType(content_type)) !== null;

const KB = 1_000;

/** For people: MB is 10⁶ bytes. */
export function sizeText(bytes: number): string {
  if (bytes < KB) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return bytes < KB * KB ? `${(bytes / KB).toFixed(1)} kB` : `${(bytes / KB / KB).toFixed(1)} MB`;
}
