// The dialog in which an admin approves a provider that somebody else set up or changed.

import type { OAuthProvider } from '@toolgate/sdk';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useProjectChange } from '../../ui/project-change.ts';

type Props = { provider: OAuthProvider; open: boolean; onOpenChange: (open: boolean) => void };

export function ApproveProviderDialog({ provider, open, onOpenChange }: Props) {
  const { id, name } = provider;
  const approve = useProjectChange({
    change: (toolgate) => toolgate.oauthProviders.update(id, { is_approved: true }),
    invalidates: ['oauth-providers'],
    done: `“${name}” approved`,
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Approve “${name}”?`}
      description="Someone without the permission “admin” set it up or changed it. In production, it is used only after you approve its current configuration."
    >
      <Facts provider={provider} />
      <footer className="mt-5 flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button
          look="solid"
          needs="admin"
          busy={approve.isPending}
          onClick={() => approve.mutate(undefined, { onSuccess: () => onOpenChange(false) })}
        >
          Approve
        </Button>
      </footer>
    </Dialog>
  );
}

/** What decides who can be a member, what members may do, and where their tokens go. */
function Facts({ provider: { issuer, client_id, permissions, allowed_origins } }: { provider: OAuthProvider }) {
  const facts = [
    ['Issuer, which identifies people', issuer],
    ['Client ID', client_id],
    ['Permissions on the API', permissions.join(', ') || 'none'],
    ["Origins that get its members' tokens", allowed_origins.join('\n') || 'none in production'],
  ];
  return (
    <dl className="grid gap-3">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt className="text-muted text-xs">{term}</dt>
          <dd className="whitespace-pre-line break-all font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
