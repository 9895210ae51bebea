// The tab "Review": every tool of an MCP server that is new or changed, those with warnings first; some or all are approved or rejected.

import type { McpServer, PendingTool } from '@toolgate/sdk';
import { CircleCheckBig, Unplug } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx';
import { Checkbox } from '../../../ui/forms/field.tsx';
import { Pagination } from '../../../ui/lists/pagination.tsx';
import { cardClass } from '../../../ui/section.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { EmptyState, ErrorAlert, ErrorState } from '../../../ui/states.tsx';
import { showError } from '../../../ui/toasts.ts';
import { count, showHidden } from '../../../ui/words.ts';
import { usePendingQuery } from '../queries.ts';
import { PendingToolCard } from './card.tsx';
import { type Decision, useDecision } from './decision.ts';

export function ReviewTab({ server }: { server: McpServer }) {
  const query = usePendingQuery(server);
  const decision = useDecision(server);
  const { data, error } = query;
  if (error && !data) return <ErrorState error={error} retry={() => query.refetch()} />;
  if (!data)
    return (
      <Loading label="the review">
        <Skeleton className="h-64 w-full rounded-md" />
      </Loading>
    );
  if (data.data.length === 0 && server.pending_count === 0) return <NothingPending server={server} />;
  const { problem, selected, renames } = decision;
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul aria-label="Pending tools" className="grid grid-cols-1 gap-4">
        {warningsFirst(data.data).map((tool) => (
          <PendingToolCard
            key={tool.upstream_name}
            serverId={server.id}
            tool={tool}
            isSelected={selected.has(tool.upstream_name)}
            onSelect={(isOn) => decision.select([tool], isOn)}
            rename={renames.get(tool.upstream_name)}
            onRename={(name) => decision.rename(tool.upstream_name, name)}
            problem={problem?.upstream_name === tool.upstream_name ? problem.text : undefined}
          />
        ))}
      </ul>
      <Pagination nextCursor={data.nextCursor} isBehindEnd={data.data.length === 0 && !query.isPlaceholderData} />
      <DecisionBar server={server} shown={data.data} decision={decision} />
    </div>
  );
}

const warningsFirst = (tools: PendingTool[]) =>
  tools.toSorted((a, b) => Number(b.warnings.length > 0) - Number(a.warnings.length > 0));

function NothingPending({ server: { status, tool_count } }: { server: McpServer }) {
  return (
    <div className={cn(cardClass, 'border-dashed')}>
      {status === null ? (
        <EmptyState icon={<Unplug />} title="Its tools have not been read yet" compact>
          Sync it to read its list of tools. Then you review them here.
        </EmptyState>
      ) : (
        <EmptyState icon={<CircleCheckBig />} title="Nothing waits for approval" compact>
          {tool_count > 0
            ? 'All of its tools match their approved definitions. New and changed tools appear here.'
            : 'New and changed tools of the server appear here.'}
        </EmptyState>
      )}
    </div>
  );
}

type BarProps = { server: McpServer; shown: PendingTool[]; decision: Decision };

function DecisionBar({ server, shown, decision }: BarProps) {
  const [isRejecting, setRejecting] = useState(false);
  const { selected, approve, problem } = decision;
  const blocked = [...selected].find(([, { isBlocked }]) => isBlocked)?.[0];
  const none = selected.size === 0 ? 'Select the tools first.' : undefined;
  return (
    <div className="sticky bottom-3 grid gap-2 rounded-lg border border-line-strong bg-raised p-3 shadow-pop">
      {approve.error !== null && (
        <ErrorAlert error={approve.error}>
          <p className="text-ink">
            Nothing was approved.
            {problem && (
              <>
                {' '}
                The tool is <code>{showHidden(problem.upstream_name)}</code>.
              </>
            )}
          </p>
        </ErrorAlert>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span role="status" className="min-w-0 flex-1 text-muted text-xs">
          {selected.size.toLocaleString('en')} of {count(server.pending_count, 'tool')} selected
        </span>
        <EnableChoice decision={decision} />
        <SelectButtons server={server} shown={shown} decision={decision} />
        <Button needs="write" disabledReason={none} onClick={() => setRejecting(true)}>
          Reject
        </Button>
        <Button
          look="solid"
          needs="write"
          busy={approve.isPending}
          disabledReason={
            none ?? (blocked && `“${showHidden(blocked)}” cannot be approved: reject it, or deselect it.`)
          }
          onClick={() => approve.mutate()}
        >
          Approve
        </Button>
      </div>
      <ConfirmDialog
        open={isRejecting}
        onOpenChange={setRejecting}
        title={`Reject ${count(selected.size, 'tool')}?`}
        action="Reject"
        onConfirm={decision.reject}
      >
        These definitions are not offered again. If the server changes one of them, it comes back for review. Approved
        definitions stay as they are.
      </ConfirmDialog>
    </div>
  );
}

/** Whoever wants to set first who confirms the calls of a tool approves it disabled. */
function EnableChoice({ decision: { isEnabling, setEnabling } }: { decision: Decision }) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex items-center gap-2 text-xs">
      <Checkbox id={id} checked={isEnabling} onChange={(event) => setEnabling(event.target.checked)} />
      Enable approved tools
    </label>
  );
}

/** Without pages, all are on this one. */
function SelectButtons({ server, shown, decision }: BarProps) {
  const [isBusy, setBusy] = useState(false);
  const isAll = decision.selected.size >= server.pending_count;
  const selectAll = () => {
    if (isAll) return decision.select(shown, false);
    setBusy(true);
    return decision
      .selectAll()
      .catch(showError)
      .finally(() => setBusy(false));
  };
  return (
    <Button look="ghost" needs="write" busy={isBusy} onClick={() => void selectAll()}>
      {isAll ? 'Deselect all' : `Select all ${server.pending_count.toLocaleString('en')}`}
    </Button>
  );
}
