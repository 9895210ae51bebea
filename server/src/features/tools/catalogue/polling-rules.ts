// Checks the `polling` of a tool before it is saved: that what it needs is there, and that its paths can be requested.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { checkTemplate, compileTemplate, templateProblems } from '@toolgate/contract/custom-tools/path-template.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import type { ToolPolling } from '@toolgate/contract/tasks/polling.ts';
import { JOB_ID } from '@toolgate/contract/tasks/rules.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';

export function checkPolling(definition: CustomToolDefinition): void {
  const { polling } = definition;
  if (polling === null) return;
  for (const [field, path] of pathsOf(polling)) checkPath(definition, polling, `polling.${field}`, path);
  checkStatus(polling);
}

const pathsOf = ({ status_path, result_path, cancel }: ToolPolling) =>
  Object.entries({ status_path, result_path, 'cancel.path': cancel?.path ?? null }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );

function checkPath(definition: CustomToolDefinition, { job_id }: ToolPolling, field: string, path: string): void {
  const problem = checkTemplate(path);
  if (problem !== null)
    throw invalidField(field, problem === 'not_absolute' ? 'must start with /' : templateProblems[problem]);
  for (const name of compileTemplate(path).names) {
    if (name === JOB_ID && job_id !== null) continue;
    if (name === JOB_ID) throw invalidField(field, 'has the placeholder {{job_id}}, but polling.job_id is not set');
    if (isReserved(name) || !isArgument(definition, name))
      throw invalidField(
        field,
        `has the placeholder {{${name}}}, which is neither job_id nor a property of input_schema`,
      );
  }
}

const isArgument = ({ input_schema: { properties }, fixed_arguments }: CustomToolDefinition, name: string) =>
  (isObject(properties) && Object.hasOwn(properties, name)) || Object.hasOwn(fixed_arguments, name);

function checkStatus({ status, done, failed, error }: ToolPolling): void {
  if (status === null) {
    for (const [field, values] of Object.entries({ done, failed }))
      if (values.length > 0) throw invalidField(`polling.${field}`, 'requires polling.status');
    if (error !== null) throw invalidField('polling.error', 'requires polling.status');
    return;
  }
  if (done.length === 0) throw invalidField('polling.done', 'must have at least one value if polling.status is set');
  const both = failed.findIndex((value) => done.includes(value));
  if (both !== -1) throw invalidField(`polling.failed.${both}`, 'is also one of polling.done');
}
