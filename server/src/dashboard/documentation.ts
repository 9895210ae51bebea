// The documentation site of this process. A start does not wait for it and does not read it: that happens at its first request, where
// a clone also builds it if its sources changed.

import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import type { StaticFile } from '../api/static-file.ts';
import { root } from '../installation.ts';
import { readFiles } from './files.ts';
import { type Build, runBuild } from './run-build.ts';

export type Site = {
  /** By path, such as `/docs/guides/toolsets/index.html`. */
  files: ReadonlyMap<string, StaticFile>;
  /** Old path to new path. */
  redirects: Readonly<Record<string, string>>;
};

export type Documentation = {
  /** A build takes several seconds: no request waits for it. One that failed is not tried again. */
  read(): Promise<Site | 'building' | 'failed'>;
  stop(): void;
};

const folder = join(root, 'site');

export function openDocumentation(log: Logger): Documentation {
  let build: Build | null = null;
  let site: Promise<Site | 'failed'> | null = null;
  const readAll = async ({ done }: Build): Promise<Site> => {
    await done;
    const files = await readFiles(join(folder, 'dist'));
    return { files, redirects: JSON.parse(textOf(files.get('/docs/redirects.json'))) };
  };
  return {
    read() {
      build ??= runBuild(join(folder, 'build.ts'), 'documentation', log);
      site ??= readAll(build).catch((error: Error) => {
        log.error({ err: error }, 'the documentation is not available; the API is');
        return 'failed';
      });
      // Of two that are settled, the first counts.
      return Promise.race([site, build.begun.then(() => 'building' as const)]);
    },
    stop: () => build?.stop(),
  };
}

function textOf(file: StaticFile | undefined): string {
  const { identity = null, gzip = null } = file?.bodies ?? {};
  return String(identity ?? gunzipSync(gzip ?? ''));
}
