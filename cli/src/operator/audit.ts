// toolgate audit: verify is for the operator, list for whoever may read the log of a project.

import type { Command } from '@commander-js/extra-typings';
import { Failure, UsageError } from '../failure.ts';
import { printJson, printLine, wantsJson } from '../output.ts';
import { addListVerb } from '../verb.ts';
import { runOperation } from './run-operation.ts';

export function addAuditCommand(program: Command): void {
  const group = program.command('audit').description('the audit log: who changed what');
  addVerifyCommand(group);
  addListVerb(group, {
    usage: 'list',
    description: 'list the audit log of the project, newest first',
    columns: ['id', 'created_at', 'actor', 'action', 'target_id', 'ip', 'request_id'],
    fields: [
      { flag: '--action <action>', field: 'action', description: 'only this action, such as api_key.revoked' },
      { flag: '--actor <id>', field: 'actor', description: 'only changes by this key or member' },
      { flag: '--target <id>', field: 'target', description: 'only changes of this resource' },
    ],
    run: ({ toolgate, fields }) => toolgate.auditLog.list(fields),
  });
}

function addVerifyCommand(group: Command): void {
  group
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
