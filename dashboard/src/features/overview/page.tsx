// /projects/{id}: the first steps of a new project, how it is doing, its latest calls and errors, and how a model is connected.

import { useQuery } from '@tanstack/react-query';
import type { AnalyticsReport } from '@toolgate/sdk';
import { useEffect } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { usePublicUrl } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Stat, StatStrip } from '../../ui/charts/stat.tsx';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import { Snippets } from '../../ui/code-block.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { percent } from '../../ui/words.ts';
import { formatStart, startsOf } from '../analytics/range.ts';
import { successShare } from '../analytics/report.ts';
import { useFirstKey } from '../onboarding/first-key.ts';
import { FirstKey } from '../onboarding/first-key-dialog.tsx';
import { FirstSteps, type Step, useFirstSteps } from '../onboarding/first-steps.tsx';
import { KEY_PLACEHOLDER, mcpSnippets } from '../onboarding/snippets.ts';
import { rememberProject } from '../projects/recent.ts';
import { LastErrors, LiveCalls } from './calls.tsx';

const DAY_MS = 86_400_000;

export function OverviewPage() {
  const projectId = useProjectId();
  useEffect(() => rememberProject(projectId), [projectId]);
  const project = useQuery(projectQuery(projectId)).data;
  const steps = useFirstSteps();
  const { firstKey, forget } = useFirstKey(projectId);
  return (
    <>
      <PageHeader
        title="Overview"
        beside={project?.name}
        description={<CopyableCode text={projectId} label="Copy project id" />}
      />
      {steps === null ? (
        <Loading label="overview">
          <Skeleton className="h-40 w-full rounded-lg" />
        </Loading>
      ) : (
        <div className="grid grid-cols-1 gap-8">
          {firstKey !== null && (
            <FirstKey secret={firstKey} onSaved={forget}>
              <ConnectSnippets apiKey={firstKey} />
            </FirstKey>
          )}
          {areShown(steps, project?.created_at) && <FirstSteps steps={steps} />}
          <Health />
          <LiveCalls />
          {firstKey === null && <ConnectModel />}
          <LastErrors />
        </div>
      )}
    </>
  );
}

/** Done steps stay for the day on which the project is new. */
function areShown(steps: Step[], createdAt: string | undefined): boolean {
  const isNew = createdAt !== undefined && Date.now() - Date.parse(createdAt) < DAY_MS;
  return isNew || steps.some(({ isDone }) => !isDone);
}

function Health() {
  const projectId = useProjectId();
  const analytics = useProjectQuery(['analytics', 'day'], (toolgate) => toolgate.analytics.get(), {
    refetchInterval: 60_000,
  });
  const usage = useProjectQuery(['usage'], (toolgate) => toolgate.projects.usage.get(projectId));
  const error = analytics.error ?? usage.error;
  if (error && !(analytics.data && usage.data)) {
    const retry = () => Promise.all([analytics.refetch(), usage.refetch()]);
    return (
      <Section title="Last 24 hours">
        <ErrorState error={error} retry={retry} />
      </Section>
    );
  }
  const totals = analytics.data?.totals;
  const share = totals ? successShare(totals) : null;
  const success = share === null ? '–' : percent(share);
  const used = usage.data;
  return (
    <Section title="Last 24 hours">
      <StatStrip>
        <Stat
          name="Calls"
          value={totals?.calls.toLocaleString('en')}
          before={analytics.data?.previous.calls}
          now={totals?.calls}
        />
        <Stat name="Success" value={totals && success} />
        <Stat
          name="p95 duration"
          value={totals && (totals.p95_ms === null ? '–' : `${Math.round(totals.p95_ms)} ms`)}
        />
        <Stat
          name="Requests this hour"
          value={used && `${used.used.toLocaleString('en')} of ${used.limit.toLocaleString('en')}`}
          share={used ? used.used / used.limit : 0}
        />
      </StatStrip>
      {analytics.data ? <DayChart report={analytics.data} /> : <Skeleton className="mt-3 h-48 w-full rounded-lg" />}
    </Section>
  );
}

/** The exact numbers are under Analytics. */
function DayChart({ report }: { report: AnalyticsReport }) {
  const points = new Map(report.data.map((point) => [Date.parse(point.start), point]));
  const starts = startsOf(report);
  const at = (read: (point: AnalyticsReport['data'][number]) => number) =>
    starts.map((start) => {
      const point = points.get(Date.parse(start));
      return point ? read(point) : 0;
    });
  return (
    <div className={`${cardClass} mt-3 p-4`}>
      <TimeChart
        label="Calls of the last 24 hours, by hour"
        kind="bars"
        height={160}
        starts={starts}
        formatStart={formatStart(report.interval, undefined)}
        series={[
          { name: 'Succeeded', values: at(({ calls, errors, waiting }) => calls - errors - waiting), tone: 'accent' },
          { name: 'Failed', values: at(({ errors }) => errors), tone: 'danger' },
          ...(report.totals.waiting > 0
            ? [{ name: 'Asked for approval', values: at(({ waiting }) => waiting), tone: 'warning' as const }]
            : []),
        ]}
      />
    </div>
  );
}

function ConnectModel() {
  const projectId = useProjectId();
  return (
    <Section
      title="Connect a model"
      id="connect"
      className="scroll-mt-16"
      aside={
        <ButtonLink size="sm" to="/projects/$projectId/api-keys" params={{ projectId }} search={{ dialog: 'create' }}>
          Get a key
        </ButtonLink>
      }
    >
      <div className={`${cardClass} p-4`}>
        <p className="mb-3 text-muted">
          Replace <code className="text-ink text-xs">{KEY_PLACEHOLDER}</code> with an API key of this project. A new key
          shows the same configuration with the key filled in.
        </p>
        <ConnectSnippets apiKey={KEY_PLACEHOLDER} />
      </div>
    </Section>
  );
}

function ConnectSnippets({ apiKey }: { apiKey: string }) {
  const target = { origin: usePublicUrl(), projectId: useProjectId(), key: apiKey };
  return <Snippets label="Connect a model" snippets={mcpSnippets(target)} />;
}
