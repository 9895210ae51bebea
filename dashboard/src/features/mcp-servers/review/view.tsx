// The view of a pending tool (MCP Apps): what it may reach, what it asks for and does not get, and its HTML as text. It is foreign, so it is
// never rendered here.

import type { ViewProblem } from '@toolgate/contract/mcp-servers/rules.ts';
import type { PendingTool } from '@toolgate/sdk';
import { type ReactNode, useMemo, useState } from 'react';
import { useProjectQuery } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { saveFile } from '../../../ui/lists/download.ts';
import { Name } from '../../../ui/name.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { ErrorAlert } from '../../../ui/states.tsx';
import { bytes, showHidden } from '../../../ui/words.ts';
import { DefinitionPartView } from './difference.tsx';
import { htmlLines } from './view-lines.ts';

type View = NonNullable<PendingTool['view']>;

const problemTexts: Record<ViewProblem, string> = {
  not_readable: 'The server returned no such resource.',
  not_html: 'It is not HTML of the type text/html;profile=mcp-app.',
  too_large: 'It is larger than 2 MiB.',
  origin_not_allowed: 'It names an origin that is not HTTPS, or no origin.',
  too_many: 'The server has more than 100 views.',
  storage_full: 'The project stores 64 MiB of views already.',
};

export function ViewReview({ serverId, tool }: { serverId: string; tool: PendingTool }) {
  const { view, approved_view: approved } = tool;
  const [isOpen, setOpen] = useState(false);
  if (view === null && approved === null) return null;
  const name = showHidden(tool.upstream_name);
  return (
    <section aria-label={`View of ${name}`} className="grid min-w-0 gap-2 rounded-md border border-line p-3">
      <h3 className="flex flex-wrap items-center gap-2 font-medium text-xs">
        View
        {approved !== null && view === null && <Badge tone="warning">removed</Badge>}
        {approved !== null && view !== null && view.sha256 !== approved.sha256 && <Badge tone="warning">changed</Badge>}
        {view?.problem != null && <Badge tone="danger">not used</Badge>}
      </h3>
      {view === null ? (
        <p className="text-muted text-xs">The server no longer names a view for this tool.</p>
      ) : (
        <ViewFacts view={view} approved={approved} />
      )}
      {(view?.sha256 ?? approved?.sha256) != null && !isOpen && (
        <div>
          <Button onClick={() => setOpen(true)}>{`Show the HTML of ${name}`}</Button>
        </div>
      )}
      {isOpen && <Html serverId={serverId} tool={tool} />}
    </section>
  );
}

function ViewFacts({ view, approved }: { view: View; approved: View | null }) {
  const { uri, size, csp, dropped, problem } = view;
  const isDropped = Object.keys(dropped).length > 0;
  return (
    <dl className="grid min-w-0 gap-1 text-xs">
      <Fact name="URI">
        <code className="break-all">
          <Name text={uri} />
        </code>
      </Fact>
      {problem !== null && <Fact name="Problem">{problemTexts[problem]} The tool can be approved without it.</Fact>}
      {size !== null && (
        <Fact name="Size">
          {bytes(size)}
          {approved?.size != null && approved.size !== size && `, approved: ${bytes(approved.size)}`}
        </Fact>
      )}
      {csp !== null && (
        <>
          <Origins name="Connects to" now={csp.connect_domains} old={approved?.csp?.connect_domains} />
          <Origins name="Loads from" now={csp.resource_domains} old={approved?.csp?.resource_domains} />
        </>
      )}
      {isDropped && (
        <Fact name="Asks for, and does not get">
          <code className="break-all">
            <Name text={JSON.stringify(dropped)} />
          </code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-3">
      <dt className="w-44 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Origins({ name, now, old }: { name: string; now: string[]; old: string[] | undefined }) {
  const added = old === undefined ? [] : now.filter((origin) => !old.includes(origin));
  const removed = (old ?? []).filter((origin) => !now.includes(origin));
  return (
    <Fact name={name}>
      {now.length === 0 ? 'nothing' : <code className="break-all">{now.join(' ')}</code>}
      {added.length > 0 && ` (new: ${added.join(' ')})`}
      {removed.length > 0 && ` (no longer: ${removed.join(' ')})`}
    </Fact>
  );
}

function useHtml(serverId: string, sha256: string | null) {
  return useProjectQuery(
    ['mcp-servers', 'view', serverId, sha256],
    async (api) => (sha256 === null ? null : (await api.mcpServers.view(serverId, { sha256 })).html),
    { staleTime: Number.POSITIVE_INFINITY },
  );
}

function Html({ serverId, tool }: { serverId: string; tool: PendingTool }) {
  const now = useHtml(serverId, tool.view?.sha256 ?? null);
  const old = useHtml(serverId, tool.approved_view?.sha256 ?? null);
  const name = showHidden(tool.upstream_name);
  const isNew = old.data === null;
  const part = useMemo(
    () => ({
      path: '',
      label: 'HTML',
      old: old.data == null ? null : htmlLines(old.data),
      now: now.data == null ? null : htmlLines(now.data),
    }),
    [old.data, now.data],
  );
  const error = now.error ?? old.error;
  if (error) return <ErrorAlert error={error} />;
  if (now.data === undefined || old.data === undefined)
    return (
      <Loading label="the HTML">
        <Skeleton className="h-24 w-full rounded-md" />
      </Loading>
    );
  const html = now.data;
  return (
    <div className="grid min-w-0 gap-2">
      {now.data === old.data ? (
        <p className="text-muted text-xs">The HTML is as approved.</p>
      ) : (
        <DefinitionPartView part={part} tool={name} warnings={[]} isNew={isNew} />
      )}
      {html !== null && (
        <div>
          <Button onClick={() => saveFile('view.txt', 'text/plain', html)}>Download as text</Button>
        </div>
      )}
    </div>
  );
}
