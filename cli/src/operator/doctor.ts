// toolgate doctor

import type { Command } from '@commander-js/extra-typings';
import { environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { paint, printJson, printLine, wantsJson } from '../output.ts';

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this machine and the service, and say how to fix each problem')
    .argument('[destination]', 'a URL: say also whether tools and webhooks may call it')
    .action(async (url, _options, command) => {
      const { diagnose } = await import('../../../server/src/commands/doctor.ts');
      const checks = await diagnose(environment, { url });
      const failed = checks.filter(({ status }) => status === 'fail').length;
      if (wantsJson(command)) printJson({ is_healthy: failed === 0, checks });
      else {
        for (const { name, status, message, fix } of checks) {
          const advice = fix === null ? '' : `  →  ${fix}`;
          printLine(`${paint(process.stdout, colors[status], status.padEnd(4))}  ${name}: ${message}${advice}`);
        }
      }
      if (failed > 0) throw new Failure(`${failed} of ${checks.length} checks failed`);
    });
}
