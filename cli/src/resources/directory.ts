// toolgate directory: whether the project is ready for a directory of MCP servers, and what was submitted.

import type { DirectoryReport } from '../../../sdk/src/index.ts';
import { command, customCommand, type Group, listCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { paint, printJson, printLine, say, wantsJson } from '../output.ts';

type Check = DirectoryReport['checks'][number];

/** The worst first. */
const marks = {
  fail: { word: 'FAIL', color: 'red' },
  warning: { word: 'WARN', color: 'yellow' },
  manual: { word: 'MANUAL', color: 'bold' },
  pass: { word: 'pass', color: 'green' },
} as const;

const statuses = Object.keys(marks) as Check['status'][];

/** Before what follows a word. */
const INDENT = 8;

/** In a file or a pipe one line for each check, with tabs. */
function printChecks(context: Context, checks: readonly Check[]): void {
  for (const status of statuses)
    for (const { id, tool_id, message, remedy } of checks.filter((check) => check.status === status)) {
      const { word, color } = marks[status];
      if (!context.stdout.isTTY) {
        printLine(context, [word, id, tool_id ?? '-', message, remedy].join('\t'));
        continue;
      }
      const shown = paint(context, color, word) + ' '.repeat(INDENT - word.length);
      printLine(context, `${shown}${message}${tool_id === null ? '' : ` (${tool_id})`}`);
      if (status !== 'pass') printLine(context, paint(context, 'dim', ' '.repeat(INDENT) + remedy));
    }
}

export const directory: Group = {
  name: 'directory',
  description: 'whether the project is ready for a directory of MCP servers',
  commands: [
    customCommand('check', 'getDirectoryReport', {
      description: "check the project against a directory's rules; exits with 1 if one is violated",
      flags: ['for'],
      async run({ context, toolgate, fields }, command) {
        const report = await toolgate.directories.report.get(fields as Required<typeof fields>);
        if (wantsJson(command)) printJson(context, report);
        else printChecks(context, report.checks);
        const count = (status: Check['status']) => report.checks.filter((check) => check.status === status).length;
        const summary = `${count('fail')} failed, ${count('warning')} warnings, ${count('manual')} to check by hand. Rules of ${report.rules_date}.`;
        if (count('fail') > 0) throw new Failure(summary);
        say(context, summary);
      },
    }),
    command('submit', 'createDirectorySubmission', {
      description: 'record that the project was submitted, so that later changes are reported',
      flags: ['for'],
    }),
    listCommand('submissions', 'listDirectorySubmissions', {
      flags: ['for'],
      columns: ['id', 'for', 'version', 'tool_count', 'created_by', 'created_at'],
    }),
    customCommand('server-json', 'getServerJson', {
      description: 'print the entry for the MCP registry (server.json)',
      async run({ context, toolgate }) {
        printLine(context, JSON.stringify(await toolgate.directories.serverJson.get(), null, 2));
      },
    }),
  ],
};
