// POST /projects/{id}/sample-tools: the tools of the sample shop, in a project where people try things out.

import { customTool } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { z } from 'zod';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { type CheckedTool, checkNewTool, createTools } from '../catalogue/create.ts';
import { sampleTools } from './tools.ts';

export const loadedTools = z
  .strictObject({
    object: z.literal('sample_tools'),
    tools: z.array(customTool).meta({ description: 'The tools that were created' }),
  })
  .meta({ id: 'SampleTools' });

/** Call before the transaction, as for any new tool. */
export async function checkSampleTools(app: App, caller: Caller): Promise<CheckedTool[]> {
  if (projectOf(caller).environment !== 'development') throw refuse.sampleToolsNotAllowed();
  return Promise.all(sampleTools.map((tool) => checkNewTool(app, caller, tool)));
}

export async function loadSampleTools(
  app: App,
  caller: Caller,
  checked: CheckedTool[],
): Promise<z.infer<typeof loadedTools>> {
  return { object: 'sample_tools', tools: await createTools(app, caller, checked) };
}
