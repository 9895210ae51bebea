// One toolset: its URL, what it is assigned to, and the editor of its tools.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Toolset } from '@toolgate/sdk';
import { Eye } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { usePublicUrl } from '../../api/session.ts';
import { ButtonLink, linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { UseLink } from '../tool-access/links.tsx';
import { useKinds, usesOf, useUses } from '../tool-access/uses.ts';
import { ToolsetActions } from './actions.tsx';
import { ToolsetEditor } from './editor.tsx';

export function ToolsetPage() {
  const { toolsetId } = useParams({ from: '/signed-in/projects/$projectId/toolsets/$toolsetId' });
  const query = useProjectQuery(['toolsets', 'one', toolsetId], (toolgate) => toolgate.toolsets.get(toolsetId));
  const { data: toolset, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (toolset) return <ToolsetDetails toolset={toolset} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="Toolset" above={<ListLink />} />
      <ErrorState error={error} retry={() => query.refetch()} />
    </>
  );
}

function ListLink() {
  return (
    <Link to="/projects/$projectId/toolsets" params={{ projectId: useProjectId() }} className={linkClass}>
      Toolsets
    </Link>
  );
}

function ToolsetDetails({ toolset }: { toolset: Toolset }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const showList = () => navigate({ to: '/projects/$projectId/toolsets', params: { projectId }, ignoreBlocker: true });
  return (
    <>
      <PageHeader
        title={toolset.name}
        above={<ListLink />}
        description={<ToolsetLine toolset={toolset} />}
        actions={
          <>
            <ButtonLink to="/projects/$projectId/toolsets" params={{ projectId }} search={{ tab: 'preview' }}>
              <Eye /> Preview as
            </ButtonLink>
            <ToolsetActions toolset={toolset} onDeleted={showList} />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-8">
        <AssignedTo toolset={toolset} />
        <ToolsetEditor key={toolset.id} toolset={toolset} />
      </div>
    </>
  );
}

function ToolsetLine({ toolset: { id, slug, updated_at } }: { toolset: Toolset }) {
  const url = `${usePublicUrl()}/api/v1/mcp/toolsets/${slug}`;
  return (
    <div className="grid gap-0.5 text-xs">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3">
        <span className="flex min-w-0 items-center gap-1">
          Slug <CopyableCode text={slug} label="Copy slug" />
        </span>
        <CopyableCode text={id} label="Copy toolset id" />
        <span>
          Changed <Time value={updated_at} />
        </span>
      </div>
      <span className="flex min-w-0 items-center gap-1">
        <span className="shrink-0">MCP URL with only these tools</span>
        <CopyableCode text={url} label="Copy MCP URL" />
      </span>
    </div>
  );
}

function AssignedTo({ toolset }: { toolset: Toolset }) {
  const { all, lacksKeys } = useUses();
  const uses = all && usesOf(toolset, all);
  return (
    <Section title="Assigned to">
      {uses === undefined && <Skeleton className="w-64" />}
      {uses?.length === 0 && (
        <p className="text-muted">
          It isn't assigned yet. Assign it to an API key, an integration, an OAuth client or provider, or in the rules
          for members in Settings.
        </p>
      )}
      {uses && uses.length > 0 && (
        <ul aria-label="Assigned to" className="flex flex-wrap gap-x-6 gap-y-1">
          {uses.map((use) => (
            <li key={use.id} className="min-w-0 break-words">
              <span className="text-muted text-xs">{useKinds[use.kind]}</span> <UseLink use={use} />
            </li>
          ))}
        </ul>
      )}
      {lacksKeys && (
        <p className="mt-1 text-muted text-xs">API keys are not listed, because your role can't see them.</p>
      )}
    </Section>
  );
}
