// The providers where members sign in.

import { oauthProviderKinds } from '@toolgate/contract/oauth-providers/rules.ts';
import type { OAuthProvider } from '@toolgate/sdk';
import { ListChecks, ShieldCheck, UserKey } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { CopyableCode } from '../../ui/copy.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { Switch } from '../../ui/forms/field.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { ActionsMenu, DeleteItem, EditItem, MenuItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { type Search, useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { showHidden } from '../../ui/words.ts';
import { createSnippets } from '../onboarding/snippets.ts';
import { useDecidingPermission, useIsProduction } from '../projects/production.ts';
import { ToolsetsSummary } from '../tool-access/summary.tsx';
import { ApproveProviderDialog } from './approve.tsx';
import { LastErrorInRow } from './error.tsx';
import { EditProviderDialog } from './form.tsx';
import { IdJagDebugger } from './id-jag.tsx';
import { type Kind, kinds } from './kinds.ts';
import { describeFailure, useProviderTest } from './setup.tsx';

export function ProviderTiles({ onChoose }: { onChoose: (kind: Kind) => void }) {
  const needed = useDecidingPermission('webhook');
  return oauthProviderKinds.map((kind) => (
    <Button
      key={kind}
      needs={needed}
      onClick={() => onChoose(kind)}
      className="h-auto w-56 flex-col items-start gap-0.5 whitespace-normal px-3 py-2.5 text-left"
    >
      <span>{kinds[kind].name}</span>
      <span className="font-normal text-muted text-xs">{kinds[kind].text}</span>
    </Button>
  ));
}

type TableProps = { tiles: ReactNode; onSetUp: (provider: OAuthProvider) => void };

export function ProviderTable({ tiles, onSetUp }: TableProps) {
  const { values } = useFilters();
  const projectId = useProjectId();
  const origin = usePublicUrl();
  // Two tables share the page, so neither has pages in its URL. A project has few providers.
  const query = useProjectQuery(['oauth-providers', 'all'], (toolgate) =>
    readWhole((page) => toolgate.oauthProviders.list(page)),
  );
  return (
    <DataTable
      label="OAuth"
      query={query}
      columns={columns(onSetUp)}
      rowKey={({ id }) => id}
      expected={2}
      filter={(provider) => matches(provider, values)}
      empty={
        query.data?.data.length ? (
          <EmptyState compact title="No provider matches">
            Change the search.
          </EmptyState>
        ) : (
          <>
            <EmptyState icon={<UserKey />} title="No providers yet" action={tiles}>
              Choose where your users have an account. You need the client ID and secret of an app that you register
              there.
            </EmptyState>
            <ApiExample code={createSnippets(origin, projectId).oauthProvider} tag="oauth-providers" />
          </>
        )
      }
    />
  );
}

function matches({ id, name, provider, issuer, client_id }: OAuthProvider, { search = '' }: Search): boolean {
  return `${id} ${name} ${kinds[provider].name} ${issuer} ${client_id}`.toLowerCase().includes(search.toLowerCase());
}

const columns = (onSetUp: (provider: OAuthProvider) => void): Column<OAuthProvider>[] => [
  {
    header: 'Provider',
    sort: ['name', ({ name }) => name],
    cell: (provider) => <ProviderCell provider={provider} />,
  },
  {
    header: 'Callback URL',
    from: 'md',
    width: 'w-64',
    cell: ({ callback_url }) => <CopyableCode text={callback_url} label="Copy callback URL" />,
  },
  {
    header: 'Tools',
    from: 'sm',
    width: 'w-32',
    cell: ({ toolset_ids }) => <ToolsetsSummary toolsetIds={toolset_ids} />,
  },
  {
    header: 'Scopes',
    from: 'xl',
    width: 'w-40',
    cell: ({ scopes }) => <span title={scopes.join('\n')}>{scopes.join(' ')}</span>,
  },
  { header: 'Enabled', width: 'w-20', cell: (provider) => <EnabledSwitch provider={provider} /> },
  actionsColumn((provider) => <ProviderActions provider={provider} onSetUp={onSetUp} />),
];

function ProviderCell({
  provider: { id, name, provider, issuer, last_error, is_approved },
}: {
  provider: OAuthProvider;
}) {
  const isWaiting = useIsProduction() && !is_approved;
  const report = useProviderTest(id).data;
  const failure = report && describeFailure(report);
  return (
    <>
      <div className={cn('flex items-center gap-2', !failure && last_error && 'pt-2')}>
        <Name text={name} className="truncate font-medium" />
        {name !== kinds[provider].name && <Badge>{kinds[provider].name}</Badge>}
        {isWaiting && <Badge tone="warning">not approved</Badge>}
      </div>
      {isWaiting ? (
        <div className="truncate text-warning text-xs" title={`${WAITING} ${issuer}`}>
          {WAITING}
        </div>
      ) : failure ? (
        <div className="truncate text-danger text-xs" title={failure}>
          Last test failed: {failure}
        </div>
      ) : last_error ? (
        <LastErrorInRow error={last_error} />
      ) : (
        <div className="truncate text-faint text-xs">{issuer}</div>
      )}
    </>
  );
}

const WAITING = 'Nobody can sign in here until an admin approves it.';

/** Shows the wanted state while the request runs. */
function EnabledSwitch({ provider: { id, name, is_enabled } }: { provider: OAuthProvider }) {
  const access = useAccess();
  const toEnable = useDecidingPermission('webhook');
  const reason = access.reason(is_enabled ? 'webhook' : toEnable);
  const change = useProjectChange<boolean>({
    change: (toolgate, wanted) => toolgate.oauthProviders.update(id, { is_enabled: wanted }),
    invalidates: ['oauth-providers'],
    done: (_, wanted) => `“${name}” is ${wanted ? 'enabled' : 'disabled'}`,
    ...(access.can(toEnable) && { undo: (_: unknown, wanted: boolean) => change.mutate(!wanted) }),
  });
  return (
    <Switch
      aria-label={`Enable ${showHidden(name)}`}
      title={reason}
      disabled={reason !== undefined}
      checked={change.isPending ? change.variables : is_enabled}
      onChange={(event) => change.mutate(event.target.checked)}
    />
  );
}

type ActionsProps = { provider: OAuthProvider; onSetUp: (provider: OAuthProvider) => void };

function ProviderActions({ provider, onSetUp }: ActionsProps) {
  const dialogs = useRowDialogs<'id-jag' | 'edit' | 'approve' | 'delete'>();
  const { id, name } = provider;
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<ListChecks />} onClick={() => onSetUp(provider)}>
          Set up and test
        </MenuItem>
        <EditItem needs="webhook" onClick={dialogs.opens('edit')} />
        {provider.accepts_id_jag && (
          <MenuItem icon={<UserKey />} needs="webhook" onClick={dialogs.opens('id-jag')}>
            Check an ID-JAG
          </MenuItem>
        )}
        {!provider.is_approved && (
          <MenuItem icon={<ShieldCheck />} needs="admin" onClick={dialogs.opens('approve')}>
            Approve
          </MenuItem>
        )}
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <EditProviderDialog provider={provider} {...dialogs.of('edit')} />
      <IdJagDebugger provider={provider} {...dialogs.of('id-jag')} />
      <ApproveProviderDialog provider={provider} {...dialogs.of('approve')} />
      <ChangeDialog
        {...dialogs.of('delete')}
        title={`Delete the provider “${name}”?`}
        name={name}
        change={(toolgate) => toolgate.oauthProviders.delete(id)}
        done={`“${name}” deleted`}
        invalidates={['oauth-providers']}
      >
        Nobody can sign in with this provider any more, and all of its stored member tokens are deleted. The members
        stay. Tools that use these tokens fail.
      </ChangeDialog>
    </>
  );
}
