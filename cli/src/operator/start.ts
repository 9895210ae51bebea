// toolgate start: the server, as npm start runs it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';

const root = join(import.meta.dirname, '../../..');
const main = [
  '--max-semi-space-size=8',
  '--require',
  join(root, 'require-node-24.cjs'),
  join(root, 'server/src/main.ts'),
];

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description('start the service; settings are environment variables (npm start -- --help lists them)')
    .action(async () => {
      // A process of its own: the option for the garbage collector can only be given to a new one.
      const child = spawn(process.execPath, main, { stdio: 'inherit' });
      // The server ignores a repeated signal, such as Ctrl-C, which a terminal sends to both.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
}
