// Publish: whether the project is ready for a directory of MCP servers, what to fix and where, and what was submitted.

import { useQuery } from '@tanstack/react-query';
import { type CheckStatus, type Directory, directories, directoryNames } from '@toolgate/contract/directories/rules.ts';
import { useProjectId } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { Stat, StatStrip } from '../../ui/charts/stat.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { Section, stackClass } from '../../ui/section.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { count } from '../../ui/words.ts';
import { ConfirmHints } from './confirm-hints.tsx';
import { goToField, ListingSection } from './listing.tsx';
import { countOf, entriesOf, useReport } from './report.ts';
import { PassedRules, RuleCard } from './rule-card.tsx';
import { ServerJson } from './server-json.tsx';
import { RecordSubmission, Submissions } from './submissions.tsx';

const tabNames: Record<Directory, string> = { claude: 'Claude', chatgpt: 'ChatGPT', registry: 'MCP registry' };

const isDirectory = (text: string | undefined): text is Directory => directories.some((each) => each === text);

export function PublishPage() {
  const { values } = useFilters();
  const directory = isDirectory(values.for) ? values.for : 'claude';
  const { data } = useReport(directory);
  const project = useQuery(projectQuery(useProjectId())).data;
  const failures = data?.checks.filter(({ status }) => status === 'fail').length ?? 0;
  return (
    <>
      <PageHeader
        title="Publish"
        description="Find out what a directory of MCP servers would refuse, and how to fix it, before you submit."
        actions={<RecordSubmission directory={directory} failures={failures} />}
      />
      <PageTabs
        label="Directory"
        name="for"
        tabs={directories.map((id) => ({ id, label: tabNames[id], content: <Report directory={id} /> }))}
      />
      {project && (
        <div className="mt-8">
          <ListingSection key={project.id} project={project} />
        </div>
      )}
    </>
  );
}

const groupTitles: Record<CheckStatus, string> = {
  fail: 'To fix',
  warning: 'Warnings',
  manual: 'To check by hand',
  pass: 'Passed',
};

/** The worst first. */
const order: CheckStatus[] = ['fail', 'warning', 'manual', 'pass'];

function Report({ directory }: { directory: Directory }) {
  const { data, error, refetch } = useReport(directory);
  if (error && !data) return <ErrorState error={error} retry={() => refetch()} />;
  // That of the previous tab while this one is being read.
  const report = data?.for === directory ? data : undefined;
  return (
    <div className={stackClass}>
      <div>
        <StatStrip>
          {order.map((status) => (
            <Stat key={status} name={groupTitles[status]} value={countOf(report?.checks, status)} />
          ))}
        </StatStrip>
        <p className="mt-2 text-muted text-xs">
          {directoryNames[directory]}. Rules of {report?.rules_date ?? '…'}; reviewers check more than this.
        </p>
      </div>
      {report ? (
        order.map((status) => <Group key={status} status={status} checks={report.checks} />)
      ) : (
        <Loading label="the report">
          <div className="grid gap-3" aria-busy>
            <Skeleton className="h-24 w-full rounded-lg" />
            <Skeleton className="h-24 w-full rounded-lg" />
          </div>
        </Loading>
      )}
      {directory === 'registry' && <ServerJson />}
      <Submissions directory={directory} />
    </div>
  );
}

type GroupProps = { status: CheckStatus; checks: NonNullable<ReturnType<typeof useReport>['data']>['checks'] };

function Group({ status, checks }: GroupProps) {
  const rules = entriesOf(checks, status);
  if (rules.length === 0) return null;
  if (status === 'pass')
    return (
      <details>
        <summary className="mb-2.5 w-fit cursor-pointer rounded font-medium">
          {groupTitles.pass}: {count(rules.length, 'rule')}
        </summary>
        <PassedRules rules={rules} />
      </details>
    );
  return (
    <Section title={groupTitles[status]}>
      <ul aria-label={groupTitles[status]} className="grid grid-cols-1 gap-3">
        {rules.map((rule) => (
          <RuleCard
            key={rule.id}
            status={status}
            rule={rule}
            onListing={goToField}
            action={rule.id === 'hints_set' ? <ConfirmHints /> : undefined}
          />
        ))}
      </ul>
    </Section>
  );
}
