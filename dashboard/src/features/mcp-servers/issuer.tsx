// Where members sign in for an MCP server: the authorization server that is pinned, and the one that waits for an admin.

import type { McpServer, ServerIssuer } from '@toolgate/sdk';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { cardClass, Section } from '../../ui/section.tsx';

/** Nothing for a server with another strategy. */
export function IssuerSection({ server }: { server: McpServer }) {
  const { auth_strategy, pinned_issuer, found_issuer } = server;
  if (auth_strategy !== 'member_oauth') return null;
  return (
    <Section title="Where members sign in">
      {found_issuer && <Waiting server={server} found={found_issuer} />}
      {pinned_issuer || found_issuer ? (
        <IssuerTable server={server} />
      ) : (
        <p className={cn(cardClass, 'px-4 py-3 text-muted')}>
          Not known yet. The next sync, or the first member who connects an account, determines it.
        </p>
      )}
    </Section>
  );
}

function Waiting({ server, found }: { server: McpServer; found: ServerIssuer }) {
  const [isOpen, setOpen] = useState(false);
  const canApprove = !needsSettings(server, found);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded-md bg-warning-soft px-3 py-2.5 text-warning">
      <TriangleAlert className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{whatWaits(server, found)}</span> Nothing is sent for members until an admin
        approves it. {canApprove ? '' : 'Edit the server: set the issuer and enter the client secret again.'}
      </p>
      {canApprove && (
        <Button needs="admin" onClick={() => setOpen(true)}>
          Approve
        </Button>
      )}
      <ApproveDialog server={server} found={found} open={isOpen} onOpenChange={setOpen} />
    </div>
  );
}

/** A secret is not sent to another issuer than the one it was given for. */
const needsSettings = ({ has_auth_secret, auth_config }: McpServer, { issuer }: ServerIssuer) =>
  has_auth_secret && (auth_config.issuer ?? '').replace(/\/$/, '') !== issuer.replace(/\/$/, '');

function whatWaits({ pinned_issuer: pinned, auth_config }: McpServer, found: ServerIssuer): string {
  if (pinned === null && auth_config.client_id !== undefined) return 'No issuer is set for the client.';
  if (pinned !== null && pinned.issuer !== found.issuer) return 'The server now uses another authorization server.';
  if (pinned?.token_endpoint) return 'The authorization server has other endpoints.';
  return 'The endpoints of the authorization server have different origins.';
}

const names = {
  issuer: 'Issuer',
  authorization_endpoint: 'Authorization endpoint',
  token_endpoint: 'Token endpoint',
} as const;

function IssuerTable({ server: { pinned_issuer: pinned, found_issuer: found } }: { server: McpServer }) {
  const fields = Object.entries(names) as [keyof typeof names, string][];
  return (
    <div className={cn(cardClass, 'overflow-x-auto')}>
      <table className="w-full text-left">
        <thead className="text-muted text-xs">
          <tr>
            <th className="px-4 py-2 font-normal" scope="col">
              <span className="sr-only">Part</span>
            </th>
            <th className="px-4 py-2 font-normal" scope="col">
              Pinned
            </th>
            {found && (
              <th className="px-4 py-2 font-normal" scope="col">
                Found now
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {fields.map(([field, name]) => (
            <tr key={field} className="border-line border-t align-top">
              <th className="whitespace-nowrap px-4 py-2 font-normal text-muted" scope="row">
                {name}
              </th>
              <td className="break-all px-4 py-2">{pinned?.[field] ?? 'Not known yet'}</td>
              {found && (
                <td className={cn('break-all px-4 py-2', found[field] !== pinned?.[field] && 'font-medium')}>
                  {found[field]}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type DialogProps = { server: McpServer; found: ServerIssuer; open: boolean; onOpenChange: (open: boolean) => void };

/** It approves what was shown: if the server names yet another one meanwhile, that one waits. */
function ApproveDialog({ server: { id, name, pinned_issuer }, found, open, onOpenChange }: DialogProps) {
  const isOther = pinned_issuer !== null && pinned_issuer.issuer !== found.issuer;
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Approve where members sign in for “${name}”?`}
      action="Approve"
      change={(toolgate) => toolgate.mcpServers.approveIssuer(id, found)}
      done="Authorization server approved"
      invalidates={['mcp-servers']}
    >
      <p>
        Members sign in at <span className="break-all font-medium text-ink">{found.authorization_endpoint}</span>. Their
        codes and refresh tokens, and the client secret if there is one, go to{' '}
        <span className="break-all font-medium text-ink">{found.token_endpoint}</span>.
      </p>
      {isOther && (
        <p className="mt-2">
          Accounts that members connected earlier are disconnected. Members have to connect them again.
        </p>
      )}
    </ChangeDialog>
  );
}
