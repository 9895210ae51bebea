// Who a member is after a sign-in, and where people and browsers may come from.

import { Link } from '@tanstack/react-router';
import { oauthMemberIds } from '@toolgate/contract/projects/rules.ts';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { inlineLinkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { useDecidingPermission } from '../projects/production.ts';
import { labels } from './changes.ts';
import { Part } from './part.tsx';

const memberIds = optionsOf(oauthMemberIds, {
  subject: 'The provider and its id for the person',
  email: 'The verified email address',
});

export function OAuthMembers() {
  const reason = useAccess().reason(useDecidingPermission('write'));
  return (
    <Part
      title="Sign-in and browsers"
      text="Where people return after they sign in, and which web pages can call the API."
      facts={
        <>
          <RedirectUris />
          <div className="grid gap-1">
            <span className="flex items-center gap-2 font-medium">
              Origins of browsers (CORS) <Badge>none</Badge>
            </span>
            <p className="text-muted text-xs">
              Pages of other origins can't call the API, because anyone who opens a page can read a key in it. Call
              toolgate from your backend.
            </p>
          </div>
        </>
      }
    >
      <SelectField
        name="oauth_member_id"
        label={labels.oauth_member_id}
        options={memberIds}
        disabled={reason !== undefined}
        hint={
          reason ??
          'Choose the email address if your assertions identify people by it. Both ways then lead to the same member.'
        }
      />
    </Part>
  );
}

function RedirectUris() {
  const projectId = useProjectId();
  const clients = useProjectQuery(['oauth-clients', 'redirects'], (toolgate) =>
    toolgate.oauthClients.list({ limit: 100 }),
  ).data?.data;
  const uris = [...new Set(clients?.flatMap(({ redirect_uris }) => redirect_uris))];
  return (
    <div className="grid gap-1.5">
      <span className="font-medium">Allowed redirect URIs</span>
      {uris.length > 0 ? (
        <ul className="grid gap-1">
          {uris.map((uri) => (
            <li key={uri} className="min-w-0">
              <CopyableCode text={uri} label="Copy redirect URI" />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted text-xs">No OAuth client is registered.</p>
      )}
      <p className="text-muted text-xs">
        Each OAuth client has its own list.{' '}
        <Link to="/projects/$projectId/oauth" params={{ projectId }} className={inlineLinkClass}>
          Change them on the OAuth page
        </Link>
      </p>
    </div>
  );
}
