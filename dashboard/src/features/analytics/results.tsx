// Which tools cost models most tokens, and who was refused by limits most often.

import { Link } from '@tanstack/react-router';
import type { ResultReport } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { useFilters } from '../../ui/search.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { percent } from '../../ui/words.ts';
import { readPeriod } from './range.ts';

type ToolResults = ResultReport['tools'][number];
type LimitedCaller = ResultReport['limited'][number];

const MOST_TOOLS = 10;

export function Results() {
  const { range, from, to } = useFilters().values;
  const query = useProjectQuery(['analytics', 'results', range, from, to], (toolgate) => {
    const period = readPeriod({ range, from, to });
    return toolgate.analytics.results({ from: period.from, to: period.to });
  });
  const { data } = query;
  const isPart = data !== undefined && data.counted_from !== data.from;
  return (
    <>
      <Section title="Heaviest tools">
        <p className="-mt-1.5 mb-2.5 text-muted text-xs">
          How many tokens each tool's results cost a model.{' '}
          {isPart && (
            <>
              There are many calls: only those since <Time value={data.counted_from} /> are counted.
            </>
          )}
        </p>
        <DataTable
          label="Heaviest tools"
          expected={3}
          query={{ ...query, data: data && { data: data.tools.slice(0, MOST_TOOLS) } }}
          columns={toolColumns}
          rowKey={({ tool_id }) => tool_id}
          empty={<EmptyState compact title="No results in this period" />}
        />
      </Section>
      <Section title="Most limited">
        <p className="-mt-1.5 mb-2.5 text-muted text-xs">
          The callers that <LimitsLink /> on tools refused most often. Refusals by the plan are counted above.
        </p>
        <DataTable
          label="Most limited"
          expected={2}
          query={{ ...query, data: data && { data: data.limited } }}
          columns={limitedColumns}
          rowKey={({ id }) => id}
          empty={<EmptyState compact title="Nobody was limited in this period" />}
        />
      </Section>
    </>
  );
}

function LimitsLink() {
  return (
    <Link to="/projects/$projectId/limits" params={{ projectId: useProjectId() }} className={inlineLinkClass}>
      limits
    </Link>
  );
}

const number = (value: number) => value.toLocaleString('en');

const toolColumns: Column<ToolResults>[] = [
  { header: 'Tool', cell: (tool) => <ToolName tool={tool} /> },
  { header: 'Tokens', width: 'w-28', align: 'right', cell: ({ shaped_tokens }) => number(shaped_tokens) },
  {
    header: 'p95',
    from: 'sm',
    width: 'w-24',
    align: 'right',
    cell: ({ p95_shaped_tokens }) => (
      <span title="95% of results have at most this many tokens">{number(p95_shaped_tokens)}</span>
    ),
  },
  {
    header: 'Before shaping',
    from: 'lg',
    width: 'w-36',
    align: 'right',
    cell: ({ result_tokens }) => number(result_tokens),
  },
  { header: 'Left out', from: 'sm', width: 'w-24', align: 'right', cell: (tool) => <LeftOut tool={tool} /> },
  { header: 'Results', from: 'md', width: 'w-24', align: 'right', cell: ({ calls }) => number(calls) },
];

function LeftOut({ tool: { result_tokens, shaped_tokens } }: { tool: ToolResults }) {
  const share = result_tokens > 0 ? 1 - shaped_tokens / result_tokens : 0;
  return share > 0 ? <span className="text-success">{percent(share)}</span> : <span className="text-faint">–</span>;
}

/** Leads to where its results can be made smaller. */
function ToolName({ tool: { tool_id, tool_name } }: { tool: ToolResults }) {
  return (
    <Link
      to="/projects/$projectId/custom-tools/$toolId"
      params={{ projectId: useProjectId(), toolId: tool_id }}
      search={{ tab: 'response' }}
      className="font-medium hover:underline"
    >
      <Name text={tool_name} />
    </Link>
  );
}

const kinds: Record<LimitedCaller['kind'], string> = { member: 'Member', api_key: 'API key', account: 'Person' };

const limitedColumns: Column<LimitedCaller>[] = [
  { header: 'Who', cell: (caller) => <CallerName caller={caller} /> },
  { header: 'Refused', width: 'w-24', align: 'right', cell: ({ calls }) => number(calls) },
  { header: 'Last', from: 'sm', width: 'w-36', align: 'right', cell: ({ last_at }) => <Time value={last_at} /> },
];

function CallerName({ caller: { kind, id, name } }: { caller: LimitedCaller }) {
  const projectId = useProjectId();
  const search = {
    error_code: 'TOOL_LIMIT_REACHED',
    ...(kind === 'member' && { member_id: id }),
    ...(kind === 'api_key' && { api_key_id: id }),
  };
  return (
    <>
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId }}
        search={search}
        className="font-medium hover:underline"
      >
        <Name text={name ?? (kind === 'account' ? 'A person who tried a tool' : id)} />
      </Link>
      <div className="truncate text-faint text-xs">{kinds[kind]}</div>
    </>
  );
}
