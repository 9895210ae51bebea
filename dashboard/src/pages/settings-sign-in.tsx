// Who a member is after a sign-in, and where people and browsers may come from.

import { Link } from '@tanstack/react-router';
import { useProjectId, useProjectQuery } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { inlineLinkClass } from '../components/button.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { SelectField } from '../components/field.tsx';
import { labels } from './settings-changes.ts';
import { Part } from './settings-part.tsx';

const memberIds = [
  { value: 'subject', label: 'The provider and its id of the person' },
  { value: 'email', label: 'The verified email address' },
];

export function OAuthMembers() {
  return (
    <Part
      title="Sign-in and browsers"
      text="Where people return to after a sign-in, and which pages may call the API."
      facts={
        <>
          <RedirectUris />
          <div className="grid gap-1">
            <span className="flex items-center gap-2 font-medium">
              Origins of browsers (CORS) <Badge>none</Badge>
            </span>
            <p className="text-muted text-xs">
              No page of another origin may call the API: a key in a page can be read by everybody who opens it. Call
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
        hint="Choose the email address if your assertions name people by it: then both are the same member."
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
        <p className="text-muted text-xs">None: no OAuth client is registered.</p>
      )}
      <p className="text-muted text-xs">
        Each OAuth client has its own list.{' '}
        <Link to="/projects/$projectId/oauth" params={{ projectId }} className={inlineLinkClass}>
          Change them on the page OAuth
        </Link>
      </p>
    </div>
  );
}
