// The tab "Who sees it": the tags of the tool, the toolsets that contain it with what is assigned to them, the limits that apply to it,
// and what sees every tool.

import type { CustomTool, Toolset } from '@toolgate/sdk';
import { cn } from '../../ui/class-names.ts';
import { cardClass, Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ToolsetLink, UseLink } from '../tool-access/links.tsx';
import { isMember, memberTest, type Reason } from '../tool-access/membership.ts';
import { useToolsets } from '../tool-access/toolsets.ts';
import { type Use, useKinds, usesOf, useUses } from '../tool-access/uses.ts';
import { ToolTags } from './tags.tsx';
import { ToolLimits } from './tool-limits.tsx';

export function AccessTab({ tool }: { tool: CustomTool }) {
  const toolsets = useToolsets();
  const { all, lacksKeys } = useUses();
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-8">
      {!tool.is_enabled && (
        <p className="rounded-md bg-warning-soft px-3 py-2 text-warning">
          The tool is disabled, so nobody sees it. Once it is enabled, these callers see it.
        </p>
      )}
      <ToolTags tool={tool} />
      <Section title="In toolsets">
        {toolsets && all ? (
          <ToolsetRows tool={tool} toolsets={toolsets} uses={all} />
        ) : (
          <Skeleton className="h-16 w-full" />
        )}
      </Section>
      <Section title="Limits">
        <ToolLimits tool={tool} />
      </Section>
      <Section title="Sees every tool">
        {all ? <SeesAll uses={all} /> : <Skeleton className="w-64" />}
        {lacksKeys && (
          <p className="mt-2 text-muted text-xs">API keys are not listed, because your role can't see them.</p>
        )}
      </Section>
    </div>
  );
}

type RowsProps = { tool: CustomTool; toolsets: Toolset[]; uses: Use[] };

function ToolsetRows({ tool, toolsets, uses }: RowsProps) {
  const rows = toolsets
    .map((toolset) => ({ toolset, reason: memberTest(toolset)(tool) }))
    .filter(({ reason }) => reason.kind !== 'not_chosen');
  if (rows.length === 0)
    return (
      <div className={cn(cardClass, 'border-dashed')}>
        <EmptyState compact title="In no toolset">
          Visible only to callers with access to all tools. Add a tag above to include it in the toolsets with that tag.
        </EmptyState>
      </div>
    );
  return (
    <ul aria-label="Toolsets that contain it" className={cn(cardClass, 'divide-y divide-line')}>
      {rows.map(({ toolset, reason }) => (
        <li key={toolset.id} className="grid gap-0.5 px-4 py-2.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <ToolsetLink toolset={toolset} />
            <span className="text-muted text-xs">{reasonText(reason)}</span>
          </div>
          {isMember(reason) && (
            <div className="text-muted text-xs">
              <AssignedTo uses={usesOf(toolset, uses).filter(({ kind, isOver }) => !isOver && kind !== 'limit')} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function reasonText(reason: Reason): string {
  if (reason.kind === 'picked') return 'picked by name';
  if (reason.kind === 'tag') return `by the tag ${reason.tag}`;
  return 'left out: the toolset includes only read-only tools';
}

function AssignedTo({ uses }: { uses: Use[] }) {
  if (uses.length === 0) return 'Assigned to nothing yet';
  return (
    <>
      Seen by{' '}
      {uses.map((use, index) => (
        <span key={use.id}>
          {index > 0 && ', '}
          <UseLink use={use} />
        </span>
      ))}
    </>
  );
}

/** Each of them may be narrowed further by another layer: a key by its integration. */
function SeesAll({ uses }: { uses: Use[] }) {
  const open = uses.filter(({ toolset_ids, isOver }) => toolset_ids === null && !isOver);
  if (open.length === 0) return <p className="text-muted">None: every caller is limited to toolsets.</p>;
  return (
    <>
      <ul aria-label="Sees every tool" className="flex max-h-64 flex-wrap gap-x-6 gap-y-1 overflow-y-auto">
        {open.map((use) => (
          <li key={use.id} className="min-w-0 break-words">
            <span className="text-muted text-xs">{useKinds[use.kind]}</span> <UseLink use={use} />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted text-xs">
        A caller sees the tool only if its key, integration, client, provider and member all allow it. To check one
        caller, use “Preview as” under Toolsets.
      </p>
    </>
  );
}
