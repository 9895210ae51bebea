// The media type of a file: what was given, if that is one. The bytes are never looked at.

import { MIMEType } from 'node:util';

const MAX_LENGTH = 200;
const UNKNOWN_TYPE = 'application/octet-stream';

export function safeContentType(given: string | undefined): string {
  if (given === undefined || given.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(given)) return UNKNOWN_TYPE;
  try {
    const type = new MIMEType(given).toString();
    return type.length <= MAX_LENGTH ? type : UNKNOWN_TYPE;
  } catch {
    return UNKNOWN_TYPE;
  }
}
