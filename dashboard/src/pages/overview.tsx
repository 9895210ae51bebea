// /projects/{id}: the first steps of a new project, how it is doing, its latest calls and errors, and how a model is connected.

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useProjectId, useProjectQuery } from '../api.ts';
import { ButtonLink } from '../components/button.tsx';
import { Snippets } from '../components/code-block.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { FirstSteps, type Step, useFirstSteps } from '../components/first-steps.tsx';
import { cardClass, PageHeader, Section } from '../components/page-header.tsx';
import { Loading, Skeleton } from '../components/skeleton.tsx';
import { Stat, StatStrip } from '../components/stat.tsx';
import { ErrorState } from '../components/states.tsx';
import { projectQuery } from '../projects.ts';
import { rememberProject } from '../recent-projects.ts';
import { mcpSnippets } from '../snippets.ts';
import { LastErrors, LiveCalls } from './overview-calls.tsx';

const DAY_MS = 86_400_000;

export function OverviewPage() {
  const projectId = useProjectId();
  useEffect(() => rememberProject(projectId), [projectId]);
  const project = useQuery(projectQuery(projectId)).data;
  const steps = useFirstSteps();
  return (
    <>
      <PageHeader title="Overview" description={<CopyableCode text={projectId} label="Copy project id" />} />
      {steps === null ? (
        <Loading label="overview">
          <Skeleton className="h-40 w-full rounded-lg" />
        </Loading>
      ) : (
        <div className="grid grid-cols-1 gap-8">
          {areShown(steps, project?.created_at) && <FirstSteps steps={steps} />}
          <Health />
          <LiveCalls />
          <ConnectModel />
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
  const success = totals && totals.calls > 0 ? `${((1 - totals.errors / totals.calls) * 100).toFixed(1)} %` : '–';
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
    </Section>
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
          Replace <code className="text-ink text-xs">YOUR_API_KEY</code> by an API key of this project. A new key shows
          the same configuration with the key filled in.
        </p>
        <Snippets
          label="Connect a model"
          snippets={mcpSnippets({ origin: window.location.origin, projectId, key: 'YOUR_API_KEY' })}
        />
      </div>
    </Section>
  );
}
