// toolgate audit: verify and rotate-key are for the operator, verify-file for whoever has files of an audit stream, list for whoever may read the log
// of a project.

import type { Command } from '@commander-js/extra-typings';
import { addVerifyFileCommand } from '../audit-verify-file.ts';
import { type Group, listCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, UsageError } from '../failure.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export const audit: Group = {
  name: 'audit',
  description: 'the audit log: who changed what',
  commands: [
    addVerifyCommand,
    addVerifyFileCommand,
    addRotateKeyCommand,
    listCommand('list', 'listAuditLog', {
      flags: ['action', 'actor', 'target'],
      columns: ['id', 'created_at', 'actor', 'action', 'target_id', 'ip', 'request_id'],
    }),
  ],
};

function addVerifyCommand(group: Command, context: Context): void {
  group
    .command('verify')
    .description('verify every chain of the audit log; the server can be running')
    .option('--expect-head <head...>', 'heads that you saved earlier: organization:seq:hash, seq:hash or the hash')
    .action(async ({ expectHead = [] }, command) => {
      const { describeAudit, parseHead, verifyAuditLog } = await import('../../../server/src/commands/verify-audit.ts');
      const expected = expectHead.map((text) => {
        try {
          return parseHead(text);
        } catch (error) {
          throw new UsageError((error as Error).message);
        }
      });
      const result = await runOperation(context, (config) => verifyAuditLog(config, expected));
      if (wantsJson(command)) printJson(context, result);
      else for (const line of describeAudit(result)) printLine(context, line);
      if (!result.is_intact) throw new Failure('the audit log is broken');
    });
}

function addRotateKeyCommand(group: Command, context: Context): void {
  group
    .command('rotate-key')
    .description('create a new key for audit log files; the old one stays published to verify the files it signed')
    .action(async (_options, command) => {
      const { rotateAuditKey } = await import('../../../server/src/commands/rotate-audit-key.ts');
      const rotated = await runOperation(context, rotateAuditKey);
      if (wantsJson(command)) return printJson(context, rotated);
      printLine(context, rotated.kid);
      say(context, rotated.retired === null ? 'It is the first key.' : `${rotated.retired} no longer signs.`);
    });
}
