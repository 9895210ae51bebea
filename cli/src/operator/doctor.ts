// toolgate doctor

import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { paint, printJson, printLine, wantsJson } from '../output.ts';

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export function addDoctorCommand(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('check this machine and the server, and show how to fix each problem')
    .argument('[destination]', 'also check whether tools and webhooks can call this URL')
    .action(async (url, _options, command) => {
      const { diagnose } = await import('../../../server/src/commands/doctor.ts');
      const checks = await diagnose(context.environment, { url });
      const failed = checks.filter(({ status }) => status === 'fail').length;
      if (wantsJson(command)) printJson(context, { is_healthy: failed === 0, checks });
      else {
        for (const { name, status, message, fix } of checks) {
          const advice = fix === null ? '' : `  →  ${fix}`;
          printLine(context, `${paint(context, colors[status], status.padEnd(4))}  ${name}: ${message}${advice}`);
        }
      }
      if (failed > 0) throw new Failure(`${failed} of ${checks.length} checks failed`);
    });
}
