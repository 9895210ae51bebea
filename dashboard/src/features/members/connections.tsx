// The accounts that a member connected with OAuth providers, and the clients that the member lets act.

import type { OAuthConnection, OAuthGrant } from '@toolgate/sdk';
import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { useProjectQuery } from '../../api/client.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { PreviewItem } from '../tool-access/links.tsx';
import { ToolsetsSummary } from '../tool-access/summary.tsx';

/** The names of providers by their id. */
function useProviderNames(): (id: string) => string {
  const providers = useProjectQuery(['oauth-providers', 'names'], (toolgate) =>
    toolgate.oauthProviders.list({ limit: 100 }),
  ).data?.data;
  return (id) => providers?.find((provider) => provider.id === id)?.name ?? id;
}

export function MemberConnections({ memberId }: { memberId: string }) {
  const nameOf = useProviderNames();
  const query = useProjectQuery(['members', memberId, 'connections'], (toolgate) =>
    toolgate.members.connections.list(memberId, { limit: 100 }),
  );
  const columns: Column<OAuthConnection>[] = [
    { header: 'Provider', cell: ({ provider_id }) => <Name text={nameOf(provider_id)} className="font-medium" /> },
    { header: 'Status', width: 'w-40', cell: ({ status }) => <ConnectionStatus status={status} /> },
    { header: 'Scope', from: 'md', width: 'w-64', cell: ({ scope }) => <code className="text-xs">{scope}</code> },
    {
      header: 'Token expires',
      from: 'lg',
      width: 'w-36',
      cell: ({ expires_at }) => <Time value={expires_at} empty="Unknown" />,
    },
    { header: 'Stored', from: 'sm', width: 'w-32', cell: ({ updated_at }) => <Time value={updated_at} /> },
    actionsColumn(({ id, provider_id }) => (
      <EndAccess kind="connection" memberId={memberId} id={id} name={nameOf(provider_id)} />
    )),
  ];
  return (
    <Section title="Connected accounts">
      <DataTable
        label="Connected accounts"
        expected={1}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState compact title="No connected accounts">
            A sign-in at an OAuth provider connects one. Tools can then call the provider for this member.
          </EmptyState>
        }
      />
    </Section>
  );
}

function ConnectionStatus({ status }: { status: OAuthConnection['status'] }) {
  if (status === 'active') return <StatusBadge status="connected" />;
  return <Badge tone="warning">Must sign in again</Badge>;
}

export function MemberGrants({ memberId }: { memberId: string }) {
  const query = useProjectQuery(['members', memberId, 'grants'], (toolgate) =>
    toolgate.members.grants.list(memberId, { limit: 100 }),
  );
  const columns: Column<OAuthGrant>[] = [
    {
      header: 'App',
      cell: ({ client_name, client_id }) => (
        <>
          <div className="truncate font-medium">
            <Name text={client_name} />
          </div>
          <div className="truncate text-faint text-xs">{client_id}</div>
        </>
      ),
    },
    { header: 'Scopes', from: 'lg', width: 'w-32', cell: ({ scopes }) => scopes.join(', ') },
    {
      header: 'Tools',
      from: 'sm',
      width: 'w-40',
      cell: ({ toolsets }) => <ToolsetsSummary toolsetIds={toolsets?.map(({ toolset_id }) => toolset_id) ?? null} />,
    },
    { header: 'Last used', width: 'w-32', cell: ({ last_used_at }) => <Time value={last_used_at} /> },
    { header: 'Expires', from: 'md', width: 'w-32', cell: ({ expires_at }) => <Time value={expires_at} /> },
    actionsColumn(({ id, client_name }) => <EndAccess kind="grant" memberId={memberId} id={id} name={client_name} />),
  ];
  return (
    <Section title="Apps">
      <DataTable
        label="Apps"
        expected={1}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState compact title="No apps">
            MCP clients through which the member signed in with OAuth appear here.
          </EmptyState>
        }
      />
    </Section>
  );
}

const texts = {
  connection: {
    title: (name: string) => `Disconnect the account at “${name}”?`,
    text: 'Its tokens are deleted here and revoked at the provider. Tools that need them fail until the member signs in again.',
  },
  grant: {
    title: (name: string) => `Revoke the access of “${name}”?`,
    text: 'Its tokens are refused within a second. The member is asked for consent at the next sign-in.',
  },
};

type EndAccessProps = { kind: 'connection' | 'grant'; memberId: string; id: string; name: string };

function EndAccess({ kind, memberId, id, name }: EndAccessProps) {
  const [isOpen, setOpen] = useState(false);
  const action = kind === 'connection' ? 'Disconnect' : 'Revoke';
  return (
    <>
      <ActionsMenu>
        {kind === 'grant' && <PreviewItem caller={{ oauth_grant_id: id }} />}
        <MenuItem icon={<Unplug />} danger needs="admin" onClick={() => setOpen(true)}>
          {action}
        </MenuItem>
      </ActionsMenu>
      <ChangeDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={texts[kind].title(name)}
        name={name}
        action={action}
        change={({ members }) => members[`${kind}s`].delete(memberId, id)}
        done={`“${name}” no longer has access`}
        invalidates={['members']}
      >
        {texts[kind].text}
      </ChangeDialog>
    </>
  );
}
