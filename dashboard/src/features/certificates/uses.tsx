// What connects with a certificate, each with a link to its page.

import { Link } from '@tanstack/react-router';
import type { Certificate } from '@toolgate/sdk';
import { useProjectId } from '../../api/client.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Name } from '../../ui/name.tsx';
import { userWords } from './certificates.ts';

type Use = Certificate['used_by'][number];

export function UseLink({ use: { type, id, name } }: { use: Use }) {
  const projectId = useProjectId();
  const text = <Name text={name} />;
  const props = { className: inlineLinkClass, title: `${userWords[type]} ${name}` };
  const params = { projectId };
  switch (type) {
    case 'custom_tool':
      return (
        <Link {...props} to="/projects/$projectId/custom-tools/$toolId" params={{ projectId, toolId: id }}>
          {text}
        </Link>
      );
    case 'mcp_server':
      return (
        <Link {...props} to="/projects/$projectId/mcp-servers/$mcpServerId" params={{ projectId, mcpServerId: id }}>
          {text}
        </Link>
      );
    case 'webhook':
      return (
        <Link {...props} to="/projects/$projectId/webhooks/$webhookId" params={{ projectId, webhookId: id }}>
          {text}
        </Link>
      );
    case 'hook':
      return (
        <Link {...props} to="/projects/$projectId/hooks" params={params}>
          {text}
        </Link>
      );
    case 'log_stream':
      return (
        <Link {...props} to="/projects/$projectId/log-streams" params={params}>
          {text}
        </Link>
      );
    case 'oauth_provider':
      return (
        <Link {...props} to="/projects/$projectId/oauth" params={params} search={{ search: id }}>
          {text}
        </Link>
      );
  }
}

type Props = { certificate: Certificate; open: boolean; onOpenChange: (open: boolean) => void };

export function UsesDialog({ certificate: { name, used_by, use_count }, ...dialog }: Props) {
  return (
    <Dialog {...dialog} title={`What uses “${name}”`} description="Everything that connects with this certificate.">
      {used_by.length === 0 ? (
        <p className="text-muted">Nothing uses it. Choose it in the form of a tool, MCP server, hook or webhook.</p>
      ) : (
        <ul className="grid gap-2">
          {used_by.map((use) => (
            <li key={use.id} className="flex min-w-0 gap-2">
              <span className="w-32 shrink-0 text-muted">{userWords[use.type]}</span>
              <span className="min-w-0 truncate">
                <UseLink use={use} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {use_count > used_by.length && <p className="mt-2 text-muted">and {use_count - used_by.length} more</p>}
    </Dialog>
  );
}
