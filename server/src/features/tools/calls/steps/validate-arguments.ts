// The arguments of the caller: no reserved variable, nothing that the tool sets itself, and as the schema says.

import { checkArguments } from '../arguments.ts';
import { hideFiles } from '../files/call-file.ts';
import type { Step } from '../run.ts';

export const validateArguments: Step = (_app, run) => {
  const { call, tool } = run;
  if (tool.file_arguments.length > 0) run.told = hideFiles(call, tool.file_arguments);
  const checked = checkArguments(call.arguments, call.argument_bytes, tool);
  // A promise is always rejected: it lists everything that is wrong.
  if (checked instanceof Promise) return checked;
  run.given = checked;
  return undefined;
};
