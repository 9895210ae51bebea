// A tool or an MCP server that acts in the name of members, and that no admin has approved: why its calls are refused in production, and
// the dialog in which an admin approves it.

import type { CustomTool, McpServer, Toolgate } from '@toolgate/sdk';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useIsProduction } from '../projects/production.ts';
import { strategyText } from './auth-values.ts';

type Sender = CustomTool | McpServer;

/** In the lists. In development nothing is refused. */
export function NotApprovedBadge({ of }: { of: Sender }) {
  return useIsProduction() && !of.is_approved ? <Badge tone="warning">not approved</Badge> : null;
}

/** Nothing for what is approved. */
export function ApprovalNotice({ of }: { of: Sender }) {
  const [isOpen, setOpen] = useState(false);
  const isProduction = useIsProduction();
  if (of.is_approved) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md bg-warning-soft px-3 py-2.5 text-warning">
      <ShieldAlert className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">
          {isProduction
            ? 'Calls are refused until an admin approves this configuration.'
            : 'In production, calls would be refused.'}
        </span>{' '}
        Calls act as your members, and someone without the permission “admin” last saved where they are sent.
      </p>
      <Button needs="admin" onClick={() => setOpen(true)}>
        Approve
      </Button>
      <ApproveDialog of={of} open={isOpen} onOpenChange={setOpen} />
    </div>
  );
}

type DialogProps = { of: Sender; open: boolean; onOpenChange: (open: boolean) => void };

function ApproveDialog({ of, open, onOpenChange }: DialogProps) {
  const approve = (toolgate: Toolgate): Promise<Sender> =>
    of.object === 'custom_tool'
      ? toolgate.customTools.update(of.id, { is_approved: true })
      : toolgate.mcpServers.update(of.id, { is_approved: true });
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Approve “${of.name}”?`}
      action="Approve"
      change={approve}
      done={`“${of.name}” approved`}
      invalidates={['custom-tools', 'mcp-servers', 'oauth-providers']}
    >
      <p>
        Whoever receives this credential can act as the member. After you approve the current configuration, it is sent
        in production too.
      </p>
      <dl className="mt-4 grid gap-3">
        {factsOf(of).map(([term, value]) => (
          <div key={term}>
            <dt className="text-muted text-xs">{term}</dt>
            <dd className="break-all font-medium text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </ChangeDialog>
  );
}

/** What decides where it goes. */
function factsOf(of: Sender): [term: string, value: string][] {
  const { audience, token_url } = of.auth_config;
  const issuer = 'issuer' in of.auth_config ? of.auth_config.issuer : undefined;
  const facts: [string, string | null | undefined][] = [
    ['What is sent', strategyText(of.auth_strategy)],
    ['Sent to', of.object === 'custom_tool' ? of.base_url : of.url],
    ['Audience', audience],
    ['Token endpoint', token_url],
    ['Issuer', issuer],
  ];
  return facts.filter((fact): fact is [string, string] => !!fact[1]);
}
