// toolgate export: the configuration of a project as one YAML file, without secrets.

import { writeFileSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { parse } from 'yaml';
import { projectClient } from '../client.ts';
import type { Context } from '../context.ts';
import { printJson, say, wantsJson, write } from '../output.ts';
import { writeDocument } from './document.ts';
import { readState } from './state.ts';

export function addExportCommand(program: Command, context: Context): void {
  const command = program
    .command('export')
    .argument('<file>', 'where to write it; - for stdout')
    .description('write the configuration of a project as one YAML file, without secrets');
  command.action(async (file) => {
    const { toolgate, project } = await projectClient(context, command);
    const state = await readState(toolgate, project);
    const text = writeDocument(state);
    if (file !== '-') writeFileSync(file, text);
    if (file !== '-') say(context, `Wrote the configuration of ${project} to ${file}.`);
    for (const name of state.unreadable) say(context, `${name} are left out: reading them requires a key with admin.`);
    if (wantsJson(command)) printJson(context, parse(text));
    else if (file === '-') write(context.stdout, text);
  });
}
