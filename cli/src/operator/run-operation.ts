// What the operator's commands share: the settings of the server, its errors as words, and progress on a terminal.

import type { OnProgress } from '../../../server/src/commands/progress.ts';
import { type Config, readConfig } from '../../../server/src/config.ts';
import { redactSecrets } from '../../../server/src/secret-patterns.ts';
import { environment } from '../environment.ts';
import { Failure } from '../failure.ts';

/** Runs `work` with the settings of the server. Its errors are for the operator: settings, database, files. */
export async function runOperation<T>(work: (config: Config) => Promise<T>): Promise<T> {
  try {
    return await work(readConfig(environment));
  } catch (error) {
    // Anything else, such as a TypeError, is a mistake in this program.
    if (!(error instanceof Error) || (error.name !== 'Error' && !('code' in error))) throw error;
    throw new Failure(redactSecrets(error.message));
  }
}

/** One line on stderr that is written over, on a terminal only. */
export function showProgress(): { onProgress: OnProgress; end(): void } {
  const { stderr } = process;
  let is_shown = false;
  return {
    onProgress({ step, done, total }) {
      if (!stderr.isTTY) return;
      is_shown = true;
      const share = total ? ` ${bar(done / total)} ${Math.floor((100 * done) / total)} %` : '';
      const count = done > 0 ? ` ${done.toLocaleString('en')}${total ? ` of ${total.toLocaleString('en')}` : ''}` : '';
      stderr.write(`\r\u001b[K${step}${share}${count}`);
    },
    end() {
      if (is_shown) stderr.write('\r\u001b[K');
    },
  };
}

const WIDTH = 24;
const bar = (share: number) => {
  const full = Math.min(WIDTH, Math.floor(share * WIDTH));
  return `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}]`;
};
