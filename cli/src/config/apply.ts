// toolgate apply: brings a project to the state of a file.

import type { Command } from '@commander-js/extra-typings';
import type { Toolgate } from '../../../sdk/src/index.ts';
import { projectClient } from '../client.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { paint, printJson, printLine, say, wantsJson } from '../output.ts';
import { readText } from '../read-input.ts';
import { visibleName } from '../visible.ts';
import { collectAllowed } from './allowed-variables.ts';
import { type Document, readDocument } from './document.ts';
import { type Action, type Change, planChanges } from './plan.ts';
import type { SecretUse } from './secrets.ts';
import { type Section, sections } from './sections.ts';
import { addSourcedTools, type Existing, readState, requestOf, type State } from './state.ts';

/** What is printed of a change. `secret`: of a new webhook, hook or OAuth client, if it was asked for. */
type Report = { action: Action; name: string; fields: string[]; id?: string; secret?: string };

const marks = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  compare: ['?', 'yellow'],
  delete: ['-', 'red'],
} as const;

export function addApplyCommand(program: Command, context: Context): void {
  const command = program
    .command('apply')
    .argument('<file>', 'a file from npx toolgate export; - for stdin')
    .description('apply a configuration file to a project; resources that are not in the file stay unchanged')
    .option('--dry-run', 'only show what would change')
    .option(
      '--allow-env <name>',
      'an environment variable that the file can use as a secret, besides TOOLGATE_SECRET_…; repeatable',
      collectAllowed,
    )
    .option('--prune', "delete resources that the file's sections do not list")
    .option('--show-secrets', 'print the secrets of new webhooks, hooks and OAuth clients');
  command.action(async (file, { allowEnv: allowed = [], dryRun = false, prune = false, showSecrets = false }) => {
    const document = readDocument(await readText(context, file), file === '-' ? 'stdin' : file);
    const { toolgate, project } = await projectClient(context, command);
    const state = await readState(toolgate, project);
    for (const name of state.unreadable)
      if (document.sections[name] !== undefined)
        throw new Failure(`${name}: applying these requires a key with admin.`);
    const changes = planChanges(state, document, { prune, allowed, environment: context.environment });
    const secrets = changes.flatMap(({ secret_uses }) => secret_uses);
    for (const use of secrets) sayUse(context, use);
    const reports: Report[] = [];
    const isJson = wantsJson(command);
    for (const change of changes) {
      const report = dryRun ? reportOf(change) : await applyChange(toolgate, project, state, change);
      if (!dryRun && change.section?.name === 'mcp_servers') await addSourcedTools(toolgate, state);
      if (report === null) continue;
      if (!showSecrets) hideSecret(context, report);
      reports.push(report);
      if (!isJson) printReport(context, report);
    }
    if (isJson) printJson(context, { dry_run: dryRun, secrets, changes: reports });
    sayUnapproved(context, document, state);
    say(
      context,
      reports.length === 0 ? 'Nothing to change.' : `${reports.length} ${dryRun ? 'to change' : 'changed'}.`,
    );
  });
}

/** null: nothing had changed. The server had that secret already, or it stores what is written in the same way. */
async function applyChange(toolgate: Toolgate, project: string, state: State, change: Change): Promise<Report | null> {
  const { action, section } = change;
  if (section === null) {
    await toolgate.projects.settings.update(project, change.fields);
    return reportOf(change);
  }
  const methods = section.methods(toolgate);
  const existing = change.existing ?? (action === 'update' ? findCreated(state, section, change) : undefined);
  if (action === 'delete') {
    await methods.delete(existing?.id ?? '');
    return reportOf(change);
  }
  const fields = requestOf(section, change.fields, state);
  const request = { ...fields, ...(change.secret && { [change.secret.field]: change.secret.value }) } as never;
  if (existing) {
    const after = await methods.update(existing.id, request);
    if (after.updated_at === existing.resource.updated_at) return null;
    existing.resource = after;
    return { ...reportOf(change), action: 'update', id: existing.id };
  }
  const resource = await methods.create(request);
  const id = String(resource.id);
  state.sections[section.name].push({ id, resource, entry: change.fields });
  const secret = resource.secret ?? resource.client_secret;
  return { ...reportOf(change), id, ...(typeof secret === 'string' && { secret }) };
}

/** An approval is a person's decision in one project: no file has it. */
function sayUnapproved(context: Context, { sections: wanted }: Document, state: State): void {
  for (const { name, key } of sections) {
    const given = new Set((wanted[name] ?? []).map((entry) => entry[key]));
    for (const { entry, resource } of state.sections[name])
      if (resource.is_approved === false && given.has(entry[key]))
        say(
          context,
          `${visibleName(`${name} ${entry[key]}`)} is not approved: until it is, production does not use it.`,
        );
  }
}

/** What an earlier change of this run created. */
function findCreated(state: State, { name, key }: Section, { key_value }: Change): Existing | undefined {
  return state.sections[name].find(({ entry }) => entry[key] === key_value);
}

function reportOf({ action, name, fields, secret }: Change): Report {
  const secretField = secret === undefined ? [] : [secret.field];
  return { action, name, fields: action === 'create' ? [] : [...Object.keys(fields), ...secretField] };
}

/** Before anything is sent, so that it can be seen in the log of a build, and in a dry run. */
function sayUse(context: Context, { variable, host, entry, field }: SecretUse): void {
  say(context, `${variable} → ${host} (${visibleName(entry)}: ${visibleName(field)})`);
}

/** The output of this command is often kept in the log of a build. */
function hideSecret(context: Context, report: Report): void {
  if (report.secret === undefined) return;
  delete report.secret;
  say(
    context,
    `${visibleName(report.name)} has a new secret, which is not shown. To create another one, run rotate-secret ${report.id}.`,
  );
}

function printReport(context: Context, { action, name, fields, secret }: Report): void {
  const [mark, color] = marks[action];
  const about = [fields.map(visibleName).join(', '), secret].filter(Boolean).join('\t');
  printLine(context, `${paint(context, color, mark)} ${visibleName(name)}${about ? `\t${about}` : ''}`);
}
