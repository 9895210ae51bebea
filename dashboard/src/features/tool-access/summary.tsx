// What something sees, in a word: all tools, no tools, or the names of toolsets. Never nothing.

import { Badge } from '../../ui/badge.tsx';
import { Name } from '../../ui/name.tsx';
import { showHidden } from '../../ui/words.ts';
import { ToolsetLink } from './links.tsx';
import { useToolsets } from './toolsets.ts';

type Props = { toolsetIds: readonly string[] | null };

const SHOWN = 2;

function useNames(ids: readonly string[] | null): string[] {
  const toolsets = useToolsets();
  // Before they are known an id would flash by.
  if (!toolsets) return (ids ?? []).map(() => '…');
  return (ids ?? []).map((id) => toolsets.find((toolset) => toolset.id === id)?.name ?? id);
}

/** Among other words of a line. */
export function ToolsetsText({ toolsetIds }: Props) {
  const names = useNames(toolsetIds);
  if (toolsetIds === null) return 'All tools';
  if (toolsetIds.length === 0) return <span className="font-medium text-warning">No tools</span>;
  return (
    <span className="text-accent" title={showHidden(names.join('\n'))}>
      <Name text={names.join(', ')} />
    </span>
  );
}

/** For a cell. */
export function ToolsetsSummary({ toolsetIds }: Props) {
  const names = useNames(toolsetIds);
  if (toolsetIds === null) return <Badge>All tools</Badge>;
  if (toolsetIds.length === 0) return <Badge tone="warning">No tools</Badge>;
  const shown = names.slice(0, SHOWN);
  const more = names.length - shown.length;
  return (
    <span className="flex min-w-0 max-w-full gap-1" title={showHidden(names.join('\n'))}>
      {shown.map((name, index) => (
        <Badge key={toolsetIds[index]} tone="accent" className="min-w-0 max-w-40">
          <Name text={name} className="truncate" />
        </Badge>
      ))}
      {more > 0 && <span className="text-muted text-xs leading-5">+{more}</span>}
    </span>
  );
}

/** On a page that has room: every toolset, as a link. */
export function ToolsetLinks({ toolsetIds }: Props) {
  const toolsets = useToolsets();
  if (!toolsets || toolsetIds === null || toolsetIds.length === 0) return <ToolsetsSummary toolsetIds={toolsetIds} />;
  return (
    <span className="flex flex-wrap gap-x-2">
      {toolsetIds.map((id) => (
        <ToolsetLink key={id} toolset={toolsets.find((toolset) => toolset.id === id) ?? { id, name: id }} />
      ))}
    </span>
  );
}
