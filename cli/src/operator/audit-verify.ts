// toolgate audit verify

import type { Command } from '@commander-js/extra-typings';
import { Failure, UsageError } from '../failure.ts';
import { printJson, printLine, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addAuditVerifyCommand(program: Command): void {
  program
    .command('audit')
    .description('the audit log of the installation')
    .command('verify')
    .description('verify every chain of the audit log; the service may run')
    .option('--expect-head <head...>', 'heads that you noted earlier: organization:seq:hash, seq:hash or the hash')
    .action(async ({ expectHead = [] }, command) => {
      const { describeAudit, parseHead, verifyAuditLog } = await import('../../../server/src/commands/verify-audit.ts');
      const expected = expectHead.map((text) => {
        try {
          return parseHead(text);
        } catch (error) {
          throw new UsageError((error as Error).message);
        }
      });
      const result = await runOperation((config) => verifyAuditLog(config, expected));
      if (wantsJson(command)) printJson(result);
      else for (const line of describeAudit(result)) printLine(line);
      if (!result.is_intact) throw new Failure('the audit log is broken');
    });
}
