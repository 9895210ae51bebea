// The tab "Calls": the call log of one tool. The page "Logs" has all of them, with more filters.

import { Link } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { Activity } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { TimeFilter } from '../../ui/lists/time-filter.tsx';
import { useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { ErrorCodeFilter, OutcomeFilter, TestFilter } from '../calls/filters.tsx';
import { CallLogControls, CallLogTable, useCallLog } from '../calls/list.tsx';

const FILTERS = ['outcome', 'error_code', 'is_test', 'from', 'to'] as const;

export function ToolCallsTab({ tool }: { tool: CustomTool }) {
  const { values } = useFilters();
  const projectId = useProjectId();
  const log = useCallLog(tool.id);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar names={FILTERS}>
          <OutcomeFilter />
          <ErrorCodeFilter />
          <TestFilter />
          <TimeFilter />
        </FilterBar>
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <Link
            to="/projects/$projectId/logs"
            params={{ projectId }}
            search={{ tool_id: tool.id }}
            className={`${linkClass} pr-1 leading-8`}
          >
            Open in Logs
          </Link>
          <CallLogControls log={log} name={`calls-${tool.name}`} />
        </div>
      </div>
      <CallLogTable
        log={log}
        label="Calls"
        isOneTool
        empty={<NoCalls isFiltered={FILTERS.some((name) => values[name])} />}
      />
    </>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No call matches">Change the filters.</EmptyState>;
  return (
    <EmptyState icon={<Activity />} title="Not called yet">
      Run it under “Try it”, or connect a model: its calls appear here as they happen.
    </EmptyState>
  );
}
