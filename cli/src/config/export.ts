// toolgate export: the configuration of a project as one YAML file, without secrets.

import { writeFileSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { parse } from 'yaml';
import { projectClient } from '../client.ts';
import { printJson, say, wantsJson, write } from '../output.ts';
import { writeDocument } from './document.ts';
import { readState } from './state.ts';

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .argument('<file>', 'where to write it; - for stdout')
    .description('write the configuration of a project as one YAML file, without secrets');
  command.action(async (file) => {
    const { toolgate, project } = await projectClient(command);
    const state = await readState(toolgate, project);
    const text = writeDocument(state);
    if (file !== '-') writeFileSync(file, text);
    if (file !== '-') say(`${file} has the configuration of ${project}.`);
    for (const name of state.unreadable) say(`${name} are left out: reading them needs a key with admin.`);
    if (wantsJson(command)) printJson(parse(text));
    else if (file === '-') write(process.stdout, text);
  });
}
