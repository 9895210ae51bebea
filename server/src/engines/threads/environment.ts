// The environment of a thread that reads what customers wrote: no setting of the server, and so no secret. It says only where
// Node keeps compiled code, because a thread uses that of its process no other way. With it a thread starts in a third of the time.

import { getCompileCacheDir } from 'node:module';

export function threadEnvironment(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
