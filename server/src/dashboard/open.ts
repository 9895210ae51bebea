// The dashboard of this process: built by a child process if its sources changed, then read into memory. The API does not wait
// for it. dashboard/build.ts decides whether a build is needed; an image may ship the built files without the sources.

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { StaticFile } from '../api/static-file.ts';
import { root } from '../installation.ts';
import { readFiles } from './files.ts';
import { runBuild } from './run-build.ts';

export type Dashboard = {
  /** By path, such as `/assets/index-abc.js`; null until they are built. */
  files(): ReadonlyMap<string, StaticFile> | null;
  /** The build failed; the log says why. */
  hasFailed(): boolean;
  /** Resolves when it is served, or has failed. */
  finished: Promise<void>;
  stop(): void;
};

const folder = join(root, 'dashboard');

export function openDashboard(log: Logger): Dashboard {
  let files: ReadonlyMap<string, StaticFile> | null = null;
  let failed = false;
  const build = runBuild(join(folder, 'build.ts'), 'dashboard', log);
  const finished = build.done
    .then(async () => {
      files = await readFiles(join(folder, 'dist'));
    })
    .catch((error: Error) => {
      failed = true;
      log.error({ err: error }, 'the dashboard is not available; the API is');
    });
  return { files: () => files, hasFailed: () => failed, finished, stop: build.stop };
}
