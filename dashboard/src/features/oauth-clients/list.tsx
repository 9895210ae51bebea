// The OAuth clients of a project: the apps that send people to sign in, with the URLs they may return to.

import type { NewOAuthClient, OAuthClient } from '@toolgate/sdk';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { SecretDialog } from '../../ui/dialogs/secret.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { ActionsMenu, DeleteItem, EditItem, RotateItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { type Search, useFilters, useUrlDialog } from '../../ui/search.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { TrySignIn } from '../oauth-providers/setup.tsx';
import { createSnippets } from '../onboarding/snippets.ts';
import { useDecidingPermission } from '../projects/production.ts';
import { PreviewItem } from '../tool-access/links.tsx';
import { ToolsetsSummary } from '../tool-access/summary.tsx';
import { CreateClientDialog, EditClientDialog, RotateClientDialog } from './form.tsx';

export function OAuthClients() {
  const [isCreating, setCreating] = useUrlDialog('client');
  const [created, setCreated] = useState<NewOAuthClient | null>(null);
  const needed = useDecidingPermission('webhook');
  const isAllowed = useAccess().can(needed);
  const { values } = useFilters();
  const query = useProjectQuery(['oauth-clients', 'all'], (toolgate) =>
    readWhole((page) => toolgate.oauthClients.list(page)),
  );
  const createButton = (
    <Button needs={needed} size="sm" onClick={() => setCreating(true)}>
      <Plus /> Create client
    </Button>
  );
  return (
    <Section title="Clients" aside={createButton}>
      <p className="-mt-1 mb-3 max-w-2xl text-muted text-xs">
        Apps that send people to sign in, and machines. Codes are sent only to a client's own redirect URIs, which must
        match exactly.
      </p>
      <DataTable
        label="Clients"
        expected={2}
        query={query}
        filter={(client) => matches(client, values)}
        columns={columns(setCreated)}
        rowKey={({ id }) => id}
        empty={
          query.data?.data.length ? (
            <EmptyState compact title="No client matches">
              Change the search.
            </EmptyState>
          ) : (
            <NoClients onCreate={() => setCreating(true)} />
          )
        }
      />
      <CreateClientDialog open={isCreating && isAllowed} onOpenChange={setCreating} onCreated={setCreated} />
      <SecretDialog
        secret={created?.client_secret ?? null}
        title={`The client “${created?.name}” is ready`}
        onSaved={() => setCreated(null)}
      >
        <div className="grid gap-1">
          <span className="font-medium">client_id</span>
          <CopyableCode text={created?.client_id ?? ''} label="Copy client_id" />
        </div>
      </SecretDialog>
    </Section>
  );
}

/** The name of its button is not that of the section's, so that each is found by its own. */
function NoClients({ onCreate }: { onCreate: () => void }) {
  const needed = useDecidingPermission('webhook');
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState
        title="No clients yet"
        action={
          <Button needs={needed} onClick={onCreate}>
            <Plus /> Create the first client
          </Button>
        }
      >
        Create one for your web app, or for an MCP client that signs people in by OAuth.
      </EmptyState>
      <ApiExample
        code={createSnippets(origin, projectId).oauthClient}
        tag="oauth-clients"
        label="Request for a client"
      />
    </>
  );
}

function matches({ id, name, client_id, redirect_uris }: OAuthClient, { search = '' }: Search): boolean {
  return `${id} ${name} ${client_id} ${redirect_uris.join(' ')}`.toLowerCase().includes(search.toLowerCase());
}

/** Their orders have names of their own: the providers are sorted by the same parameter of the URL. */
const columns = (onCreated: (client: NewOAuthClient) => void): Column<OAuthClient>[] => [
  {
    header: 'Name',
    sort: ['client_name', ({ name }) => name],
    cell: ({ name, client_id }) => (
      <>
        <div className="truncate font-medium">
          <Name text={name} />
        </div>
        <CopyableCode text={client_id} label="Copy client_id" />
      </>
    ),
  },
  {
    header: 'Redirect URIs',
    from: 'lg',
    width: 'w-56',
    cell: ({ redirect_uris: [first, ...others], grant_types }) => (
      <span title={[first, ...others].join('\n')}>
        {first === undefined ? (
          <Badge>{grant_types.includes('client_credentials') ? 'machine' : 'ID-JAG'}</Badge>
        ) : (
          <code className="text-xs">{first}</code>
        )}
        {others.length > 0 && <div className="text-faint text-xs">and {others.length} more</div>}
      </span>
    ),
  },
  {
    header: 'Tools',
    from: 'sm',
    width: 'w-32',
    cell: ({ toolset_ids }) => <ToolsetsSummary toolsetIds={toolset_ids} />,
  },
  { header: 'Secret', from: 'md', width: 'w-28', cell: (client) => <SecretCell client={client} /> },
  {
    header: 'Sign-in',
    from: 'lg',
    width: 'w-32',
    cell: (client) => client.redirect_uris.length > 0 && <TrySignIn client={client} />,
  },
  {
    header: 'Created',
    from: 'xl',
    width: 'w-30',
    sort: ['client_created_at', ({ created_at }) => created_at],
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  actionsColumn((client) => <ClientActions client={client} onCreated={onCreated} />),
];

const hasKeys = ({ jwks, jwks_uri }: OAuthClient) => jwks !== null || jwks_uri !== null;

function SecretCell({ client }: { client: OAuthClient }) {
  const { is_public, secret_last4, previous_secret_ends_at } = client;
  if (is_public) return <Badge>public</Badge>;
  if (hasKeys(client)) return <Badge>keys</Badge>;
  return (
    <>
      <code className="text-muted text-xs">…{secret_last4}</code>
      {previous_secret_ends_at && (
        <div className="truncate text-faint text-xs">
          old one expires <Time value={previous_secret_ends_at} />
        </div>
      )}
    </>
  );
}

type ActionsProps = { client: OAuthClient; onCreated: (client: NewOAuthClient) => void };

function ClientActions({ client, onCreated }: ActionsProps) {
  const dialogs = useRowDialogs<'edit' | 'rotate' | 'delete'>();
  const needed = useDecidingPermission('webhook');
  const { id, name, is_public } = client;
  return (
    <>
      <ActionsMenu>
        <PreviewItem caller={{ oauth_client_id: id }} />
        <EditItem needs={needed} onClick={dialogs.opens('edit')} />
        <RotateItem
          needs={needed}
          onClick={dialogs.opens('rotate')}
          {...(is_public && { disabledReason: 'A public client has no secret.' })}
          {...(hasKeys(client) && { disabledReason: 'A client with keys has no secret.' })}
        />
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <EditClientDialog client={client} {...dialogs.of('edit')} />
      <RotateClientDialog client={client} {...dialogs.of('rotate')} onCreated={onCreated} />
      <ChangeDialog
        {...dialogs.of('delete')}
        title={`Delete the client “${name}”?`}
        name={name}
        change={(toolgate) => toolgate.oauthClients.delete(id)}
        done={`“${name}” deleted`}
        invalidates={['oauth-clients']}
      >
        This app can no longer send people here to sign in. This cannot be undone: a new client has a different id.
      </ChangeDialog>
    </>
  );
}
