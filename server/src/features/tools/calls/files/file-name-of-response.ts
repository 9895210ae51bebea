// The name of a file that an API returned: the one that it gave, else the name of the tool with the ending of its type. It is made safe
// where it is stored.

import { isUtf8 } from 'node:buffer';
import { mediaType } from '@toolgate/contract/files/media.ts';

const ENDINGS: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'application/zip': 'zip',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

export function nameWithEnding(name: string, content_type: string | undefined): string {
  const type = mediaType(content_type);
  return Object.hasOwn(ENDINGS, type) ? `${name}.${ENDINGS[type]}` : name;
}

/** The file name of a Content-Disposition (RFC 6266), as it was given; null without one. */
export function givenFileName(disposition: string | undefined): string | null {
  if (disposition === undefined) return null;
  const [, charset = '', encoded] = /(?:^|;)\s*filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition) ?? [];
  const named = quoted?.replace(/\\(.)/g, '$1') ?? plain?.trim();
  const name = (encoded && decoded(charset, encoded)) || (named && asUtf8(named));
  return name || null;
}

function decoded(charset: string, encoded: string): string | null {
  if (!/^utf-?8$/i.test(charset)) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** Many APIs send UTF-8, which a header does not have. */
function asUtf8(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : name;
}
