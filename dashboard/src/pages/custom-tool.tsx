// One tool: its definition, where it is tried, its versions and its calls.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../api.ts';
import { Badge, StatusBadge } from '../components/badge.tsx';
import { linkClass } from '../components/button.tsx';
import { CopyableCode, CopyIcon } from '../components/copy.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { ErrorState } from '../components/states.tsx';
import { PageTabs } from '../components/tabs.tsx';
import { Time } from '../components/time.tsx';
import { useUrlDialog } from '../search.ts';
import { CustomToolActions } from './custom-tool-actions.tsx';
import { ToolCallsTab } from './custom-tool-calls.tsx';
import { DefinitionTab } from './custom-tool-definition.tsx';
import { hostOf, MethodBadge } from './custom-tool-facts.tsx';
import { SignatureDoctor } from './custom-tool-signature.tsx';
import { TryItTab } from './custom-tool-try.tsx';
import { useTryIt } from './custom-tool-try-state.ts';
import { isSigned, SIGNATURE_DIALOG } from './custom-tool-values.ts';
import { VersionsTab } from './custom-tool-versions.tsx';
import { NotFound } from './not-found.tsx';

export function CustomToolPage() {
  const { toolId = '' } = useParams({ strict: false });
  const query = useProjectQuery(['custom-tools', 'one', toolId], (toolgate) => toolgate.customTools.get(toolId));
  const { data: tool, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (tool) return <ToolPage tool={tool} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="Tool" above={<ListLink />} />
      <ErrorState error={error} retry={() => void query.refetch()} />
    </>
  );
}

function ListLink() {
  return (
    <Link to="/projects/$projectId/custom-tools" params={{ projectId: useProjectId() }} className={linkClass}>
      Custom tools
    </Link>
  );
}

function ToolPage({ tool }: { tool: CustomTool }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  // Here, so that arguments and results stay while another tab is open.
  const tryIt = useTryIt(tool);
  const [isDoctorOpen, openDoctor] = useUrlDialog(SIGNATURE_DIALOG);
  const showList = () =>
    void navigate({ to: '/projects/$projectId/custom-tools', params: { projectId }, ignoreBlocker: true });
  return (
    <>
      <PageHeader
        title={tool.name}
        above={<ListLink />}
        description={<ToolLine tool={tool} />}
        actions={<CustomToolActions tool={tool} onDeleted={showList} />}
      />
      <PageTabs
        label="Tool"
        tabs={[
          { id: 'definition', label: 'Definition', content: <DefinitionTab tool={tool} />, isKept: true },
          { id: 'try-it', label: 'Try it', content: <TryItTab tool={tool} tryIt={tryIt} /> },
          { id: 'versions', label: 'Versions', content: <VersionsTab tool={tool} /> },
          { id: 'calls', label: 'Calls', content: <ToolCallsTab tool={tool} /> },
        ]}
      />
      {isSigned(tool) && <SignatureDoctor tool={tool} tryIt={tryIt} open={isDoctorOpen} onOpenChange={openDoctor} />}
    </>
  );
}

function ToolLine({ tool }: { tool: CustomTool }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge status={tool.is_enabled ? 'enabled' : 'disabled'} />
        {tool.require_member && <Badge>member</Badge>}
        <MethodBadge method={tool.method} />
        <span className="flex min-w-0 items-center gap-0.5">
          <code className="min-w-0 break-all text-xs">
            {hostOf(tool.base_url)}
            {tool.endpoint_path}
          </code>
          <CopyIcon text={`${tool.base_url}${tool.endpoint_path}`} label="Copy URL" />
        </span>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 text-xs">
        <CopyableCode text={tool.id} label="Copy tool id" />
        <span>
          Version {tool.version}, saved <Time value={tool.updated_at} />
        </span>
        {tool.previous_secret_ends_at && (
          <span className="text-warning">
            The previous secret still signs until <Time value={tool.previous_secret_ends_at} />
          </span>
        )}
      </div>
    </div>
  );
}
