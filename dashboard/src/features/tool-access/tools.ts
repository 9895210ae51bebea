// Every tool of the project, to choose from and for their names.

import type { CustomTool } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';

/** Empty until they are read. */
export function useTools(): CustomTool[] {
  return (
    useProjectQuery(['custom-tools', 'whole'], (api) => readWhole((page) => api.customTools.list(page))).data?.data ??
    []
  );
}

/** The id itself until the tools are read, and of a tool that is gone. */
export function useToolNames(): (id: string) => string {
  const names = new Map(useTools().map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
