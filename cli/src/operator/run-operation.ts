// What the operator's commands share: the settings of the server, and its errors as words.

import type { Config } from '../../../server/src/config/config.ts';
import { redactSecrets } from '../../../server/src/redaction/secret-patterns.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';

/** Runs `work` with the settings of the server, where one runs. Its errors are for the operator: settings, database, files. */
export async function runOperation<T>({ environment }: Context, work: (config: Config) => Promise<T>): Promise<T> {
  const { readConfig } = await import('../../../server/src/config/config.ts');
  const { settingsBeside } = await import('../../../server/src/commands/beside-server.ts');
  try {
    return await work(readConfig(settingsBeside(environment)));
  } catch (error) {
    // Anything else, such as a TypeError, is a mistake in this program.
    if (!(error instanceof Error) || (error.name !== 'Error' && !('code' in error))) throw error;
    throw new Failure(redactSecrets(error.message));
  }
}
