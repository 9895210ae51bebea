// toolgate: runs the command of this process.

import { processContext } from './process-context.ts';
import { run } from './run.ts';

// The reader of a pipe may leave early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(processContext());
