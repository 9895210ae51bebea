// One tool: its definition, where it is tried, its versions and its calls.

import { useNavigate, useParams } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { CopyableCode, CopyIcon } from '../../ui/copy.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { useUrlDialog } from '../../ui/search.ts';
import { ErrorState } from '../../ui/states.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { AccessTab } from './access.tsx';
import { CustomToolActions } from './actions.tsx';
import { ApprovalNotice } from './approval.tsx';
import { ToolCallsTab } from './calls.tsx';
import { DEFINITION_TAB, DefinitionTab } from './definition.tsx';
import { hostOf, MethodBadge, ToolsLink } from './facts.tsx';
import { ResponseTab, useResponseForm } from './response/tab.tsx';
import { SourceText } from './source.tsx';
import { SignatureDoctor } from './try/signature.tsx';
import { useTryIt } from './try/state.ts';
import { TryItTab } from './try/tab.tsx';
import { isSigned, SIGNATURE_DIALOG } from './values.ts';
import { VersionsTab } from './versions.tsx';

export function CustomToolPage() {
  const { toolId } = useParams({ from: '/signed-in/projects/$projectId/custom-tools/$toolId' });
  const query = useProjectQuery(['custom-tools', 'one', toolId], (toolgate) => toolgate.customTools.get(toolId));
  const { data: tool, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (tool) return <ToolPage tool={tool} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="Tool" above={<ToolsLink />} />
      <ErrorState error={error} retry={() => query.refetch()} />
    </>
  );
}

function ToolPage({ tool }: { tool: CustomTool }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  // Here, so that arguments, results and edits stay while another tab is open.
  const tryIt = useTryIt(tool);
  const responseForm = useResponseForm(tool);
  const [isDoctorOpen, openDoctor] = useUrlDialog(SIGNATURE_DIALOG);
  const showList = () =>
    navigate({ to: '/projects/$projectId/custom-tools', params: { projectId }, ignoreBlocker: true });
  return (
    <>
      <PageHeader
        title={tool.name}
        above={<ToolsLink />}
        description={<ToolLine tool={tool} />}
        actions={<CustomToolActions tool={tool} onDeleted={showList} />}
      />
      {!tool.is_approved && (
        <div className="mb-6">
          <ApprovalNotice of={tool} />
        </div>
      )}
      <PageTabs
        label="Tool"
        tabs={[
          { id: DEFINITION_TAB, label: 'Definition', content: <DefinitionTab tool={tool} />, isKept: true },
          { id: 'try-it', label: 'Try it', content: <TryItTab tool={tool} tryIt={tryIt} /> },
          { id: 'response', label: 'Response', content: <ResponseTab tool={tool} tryIt={tryIt} form={responseForm} /> },
          { id: 'versions', label: 'Versions', content: <VersionsTab tool={tool} /> },
          { id: 'access', label: 'Who sees it', content: <AccessTab tool={tool} /> },
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
        {tool.tags.map((tag) => (
          <Badge key={tag}>#{tag}</Badge>
        ))}
        <MethodBadge method={tool.method} />
        {tool.source ? (
          <SourceText source={tool.source} />
        ) : (
          <span className="flex min-w-0 items-center gap-0.5">
            <code className="min-w-0 break-all text-xs">
              {hostOf(tool.base_url)}
              {tool.endpoint_path}
            </code>
            <CopyIcon text={`${tool.base_url}${tool.endpoint_path}`} label="Copy URL" />
          </span>
        )}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 text-xs">
        <CopyableCode text={tool.id} label="Copy tool id" />
        <span>
          Version {tool.version}, saved <Time value={tool.updated_at} />
        </span>
        {tool.previous_secret_ends_at && (
          <span className="text-warning">
            The previous secret also signs requests until <Time value={tool.previous_secret_ends_at} />
          </span>
        )}
      </div>
    </div>
  );
}
