// How many tools are in a toolset as it is edited, and about what their list costs a model.

import type { CustomTool } from '@toolgate/sdk';
import { Skeleton } from '../../ui/skeleton.tsx';
import { count } from '../../ui/words.ts';
import { aboutTokens, estimateTokens, isMember, listedTools, memberTest } from '../tool-access/membership.ts';
import type { ToolsetValues } from './edits.ts';

export function ListCost({ tools, values }: { tools: CustomTool[] | undefined; values: ToolsetValues }) {
  if (!tools) return <Skeleton className="w-48" />;
  const reasonOf = memberTest(values);
  const members = tools.filter((tool) => isMember(reasonOf(tool)));
  const disabled = members.filter(({ is_enabled }) => !is_enabled).length;
  const tokens = estimateTokens(listedTools(members, values));
  return (
    <p role="status" className="text-right text-xs">
      <strong className="font-medium text-sm">{count(members.length, 'tool')}</strong>
      {disabled > 0 && <span className="text-muted">, {disabled} of them disabled</span>}
      <span
        className="block text-muted"
        title="An estimate: the UTF-8 bytes of the listed definitions, divided by four."
      >
        {values.exposure === 'list'
          ? `The list costs a model ${aboutTokens(tokens)}`
          : `Pinned tools cost a model ${aboutTokens(tokens)}, and search_tools and call_tool about 400`}
      </span>
    </p>
  );
}
