// The limits that apply to a tool, with links to them.

import { Link } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { useProjectId } from '../../api/client.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Name } from '../../ui/name.tsx';
import { cardClass } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { appliesTo, limitText, useLimitsQuery } from '../limits/limits.ts';
import { useToolsets } from '../tool-access/toolsets.ts';

export function ToolLimits({ tool }: { tool: CustomTool }) {
  const projectId = useProjectId();
  const limits = useLimitsQuery().data?.data;
  const toolsets = useToolsets();
  if (!limits || !toolsets) return <Skeleton className="w-64" />;
  const applied = limits.filter((limit) => appliesTo(limit, tool, toolsets));
  if (applied.length === 0)
    return (
      <p className="text-muted">
        Only the plan applies to it.{' '}
        <Link to="/projects/$projectId/limits" params={{ projectId }} className={inlineLinkClass}>
          Limits
        </Link>
      </p>
    );
  return (
    <>
      <ul aria-label="Limits on this tool" className={cn(cardClass, 'divide-y divide-line')}>
        {applied.map((limit) => (
          <li key={limit.id} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
            <Link
              to="/projects/$projectId/limits"
              params={{ projectId }}
              search={{ limit: limit.id }}
              className={inlineLinkClass}
            >
              <Name text={limit.name} />
            </Link>
            <span className="text-muted text-xs">{limitText(limit)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted text-xs">
        One call counts {tool.weight.toLocaleString('en')}: the weight of the tool.
      </p>
    </>
  );
}
