// The toolsets of the project, and their names by id. A project has at most 100.

import type { Toolset } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';

/** Undefined until they are known. */
export function useToolsets(): Toolset[] | undefined {
  return useToolsetsQuery().data?.data;
}

export function useToolsetsQuery() {
  return useProjectQuery(['toolsets', 'all'], (api) => readWhole((page) => api.toolsets.list(page)));
}

/** What is stored after something that tools, toolsets or assignments depend on has changed. */
export const TOOLSET_RESOURCES = ['toolsets', 'effective-tools'];
