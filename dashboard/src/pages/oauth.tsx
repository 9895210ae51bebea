// OAuth: the providers where members sign in, and the clients that send them.

import type { OAuthProvider } from '@toolgate/sdk';
import { ListChecks, Pencil, Plus, Trash2, UserKey } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { invalidateProject, useProjectApi, useProjectChange, useProjectId, useProjectQuery } from '../api.ts';
import { ApiExample } from '../components/api-example.tsx';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Switch } from '../components/field.tsx';
import { FilterBar, SearchFilter } from '../components/filter-bar.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { PageHeader, stackClass } from '../components/page-header.tsx';
import { useCreateShortcut } from '../components/shortcuts.tsx';
import { EmptyState } from '../components/states.tsx';
import { readWhole } from '../lists.ts';
import { type Search, useFilters, useUrlDialog } from '../search.ts';
import { useAccess } from '../session.ts';
import { createSnippets } from '../snippets.ts';
import { showToast } from '../toasts.ts';
import { OAuthClients } from './oauth-clients.tsx';
import { isKind, type Kind, kindNames, kinds } from './oauth-kinds.ts';
import { LastErrorInRow } from './oauth-provider-error.tsx';
import { AddProviderDialog, EditProviderDialog } from './oauth-provider-form.tsx';
import { describeFailure, ProviderSetupDialog, useProviderTest } from './oauth-provider-setup.tsx';

export function OAuthPage() {
  const [isAdding] = useUrlDialog('create');
  const [added, setAdded] = useState<OAuthProvider | null>(null);
  const { values, set } = useFilters();
  const isAllowed = useAccess().can('webhook');
  const add = (provider?: Kind) => set({ dialog: 'create', provider });
  const close = () => set({ dialog: undefined, provider: undefined });
  useCreateShortcut(() => isAllowed && add());
  return (
    <>
      <PageHeader
        title="OAuth"
        description="People sign in at a provider and become members. Tools can then use the account that they connected."
        actions={
          <Button look="solid" needs="webhook" onClick={() => add()}>
            <Plus /> Add provider
          </Button>
        }
      />
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search providers and clients" />
      </FilterBar>
      <div className={stackClass}>
        <ProviderTable tiles={<Tiles onChoose={add} />} onSetUp={setAdded} />
        <OAuthClients />
      </div>
      <AddProviderDialog
        open={isAdding && isAllowed}
        onOpenChange={close}
        kind={isKind(values.provider) ? values.provider : 'google'}
        onAdded={(provider) => {
          close();
          setAdded(provider);
        }}
      />
      <ProviderSetupDialog provider={added} onClose={() => setAdded(null)} />
    </>
  );
}

function Tiles({ onChoose }: { onChoose: (kind: Kind) => void }) {
  return kindNames.map((kind) => (
    <Button
      key={kind}
      needs="webhook"
      onClick={() => onChoose(kind)}
      className="h-auto w-56 flex-col items-start gap-0.5 whitespace-normal px-3 py-2.5 text-left"
    >
      <span>{kinds[kind].name}</span>
      <span className="font-normal text-muted text-xs">{kinds[kind].text}</span>
    </Button>
  ));
}

type TableProps = { tiles: ReactNode; onSetUp: (provider: OAuthProvider) => void };

function ProviderTable({ tiles, onSetUp }: TableProps) {
  const { values } = useFilters();
  const projectId = useProjectId();
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
              Choose where your people have an account. You need the client ID and secret of an app that you register
              there.
            </EmptyState>
            <ApiExample code={createSnippets(window.location.origin, projectId).oauthProvider} tag="oauth-providers" />
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
    header: 'Scopes',
    from: 'lg',
    width: 'w-48',
    cell: ({ scopes }) => <span title={scopes.join('\n')}>{scopes.join(' ')}</span>,
  },
  { header: 'Enabled', width: 'w-20', cell: (provider) => <EnabledSwitch provider={provider} /> },
  {
    header: 'Actions',
    hideHeader: true,
    width: 'w-14',
    align: 'right',
    cell: (provider) => <ProviderActions provider={provider} onSetUp={onSetUp} />,
  },
];

function ProviderCell({ provider: { id, name, provider, issuer, last_error } }: { provider: OAuthProvider }) {
  const report = useProviderTest(id).data;
  const failure = report && describeFailure(report);
  return (
    <>
      <div className={cn('flex items-center gap-2', !failure && last_error && 'pt-2')}>
        <span className="truncate font-medium">{name}</span>
        {name !== kinds[provider].name && <Badge>{kinds[provider].name}</Badge>}
      </div>
      {failure ? (
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

/** Shows the wanted state while the request runs. */
function EnabledSwitch({ provider: { id, name, is_enabled } }: { provider: OAuthProvider }) {
  const reason = useAccess().reason('webhook');
  const change = useProjectChange<boolean>({
    change: (toolgate, wanted) => toolgate.oauthProviders.update(id, { is_enabled: wanted }),
    invalidates: ['oauth-providers'],
    done: (_, wanted) => `“${name}” is ${wanted ? 'enabled' : 'disabled'}`,
    undo: (_, wanted) => change.mutate(!wanted),
  });
  return (
    <Switch
      aria-label={`Enable ${name}`}
      title={reason}
      disabled={reason !== undefined}
      checked={change.isPending ? change.variables : is_enabled}
      onChange={(event) => change.mutate(event.target.checked)}
    />
  );
}

type ActionsProps = { provider: OAuthProvider; onSetUp: (provider: OAuthProvider) => void };

function ProviderActions({ provider, onSetUp }: ActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const api = useProjectApi();
  const projectId = useProjectId();
  const { id, name } = provider;
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<ListChecks />} onClick={() => onSetUp(provider)}>
          Set up and test
        </MenuItem>
        <MenuItem icon={<Pencil />} needs="webhook" onClick={() => setDialog('edit')}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <EditProviderDialog provider={provider} open={dialog === 'edit'} onOpenChange={close} />
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title={`Delete the provider “${name}”?`}
        name={name}
        action="Delete"
        onConfirm={async () => {
          await api.oauthProviders.delete(id);
          showToast({ title: `“${name}” is deleted` });
          await invalidateProject(projectId, ['oauth-providers']);
        }}
      >
        Nobody can sign in there any more, and the stored tokens of all members at it are deleted. The members stay.
        Tools that use these tokens fail.
      </ConfirmDialog>
    </>
  );
}
