// What is left to do for a provider: register its callback URL, test it, and try a sign-in.

import type { OAuthClient, OAuthProvider, OAuthProviderReport } from '@toolgate/sdk';
import { CircleCheck, CircleMinus, CircleX, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { slowProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { LastErrorBox } from './error.tsx';
import { kinds } from './kinds.ts';

/** The last test of this visit; the list shows what failed. It runs only by `refetch`: the provider is asked each time. */
export function useProviderTest(providerId: string) {
  const projectId = useProjectId();
  return useProjectQuery(
    ['oauth-provider-tests', providerId],
    () => slowProjectApi(projectId).oauthProviders.test(providerId),
    { enabled: false, staleTime: Infinity },
  );
}

type Check = OAuthProviderReport['checks'][number];

const failures: Record<Check['check'], string> = {
  discovery: 'Its configuration cannot be read.',
  keys: 'Its keys cannot be read.',
  credentials: 'It does not accept the client ID and the secret.',
};

/** What failed and what to do, in words. */
export function describeFailure({ checks }: OAuthProviderReport): string | null {
  const failed = checks.find(({ outcome }) => outcome === 'failed');
  return failed ? [failures[failed.check], failed.remedy].filter(Boolean).join(' ') : null;
}

type Props = { provider: OAuthProvider | null; onClose: () => void };

export function ProviderSetupDialog({ provider, onClose }: Props) {
  return (
    <Dialog open={provider !== null} onOpenChange={onClose} size="lg" title={`Set up “${provider?.name}”`}>
      {provider && <Steps key={provider.id} provider={provider} onClose={onClose} />}
    </Dialog>
  );
}

function Steps({ provider, onClose }: { provider: OAuthProvider; onClose: () => void }) {
  const test = useProviderTest(provider.id);
  const clients = useProjectQuery(['oauth-clients', 'first'], (toolgate) =>
    toolgate.oauthClients.list({ limit: 1 }),
  ).data;
  const client = clients?.data[0];
  return (
    <div className="grid grid-cols-1 gap-5">
      {provider.last_error && <LastErrorBox error={provider.last_error} />}
      <Step
        title="1. Register the callback URL"
        text={`At ${kinds[provider.provider].callbackField}. It must match exactly.`}
      >
        <CodeBlock code={provider.callback_url} label="callback URL" />
      </Step>
      <Step
        title="2. Test it"
        text="Reads the provider's configuration and tries the client ID and secret. Nobody signs in."
      >
        <Button
          needs="webhook"
          busy={test.isFetching}
          onClick={() => void test.refetch()}
          className="justify-self-start"
        >
          Test provider
        </Button>
        {test.error && !test.isFetching && <ErrorAlert error={test.error} />}
        <div aria-live="polite">{test.data && !test.isFetching && <Report report={test.data} />}</div>
      </Step>
      <Step title="3. Try a sign-in" text="In a new tab, as one of your users would. It creates a member.">
        {client ? (
          <TrySignIn client={client} />
        ) : (
          <p className="text-muted text-xs">Create an OAuth client first: people reach the sign-in through an app.</p>
        )}
      </Step>
      <footer className="flex justify-end">
        <Button look="solid" onClick={onClose} className="min-w-20">
          Done
        </Button>
      </footer>
    </div>
  );
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-2">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="break-words text-muted text-xs">{text}</p>
      </div>
      {children}
    </section>
  );
}

const icons = {
  passed: <CircleCheck aria-label="Passed" className="text-success" />,
  failed: <CircleX aria-label="Failed" className="text-danger" />,
  not_reached: <CircleMinus aria-label="Not reached" className="text-faint" />,
};

const checkNames = {
  discovery: 'Its configuration can be read',
  keys: 'Its keys can be read',
  credentials: 'It knows the client ID and the secret',
};

function Report({ report: { checks } }: { report: OAuthProviderReport }) {
  return (
    <ul aria-label="Checks" className="divide-y divide-line rounded-md border border-line">
      {checks.map(({ check, outcome, reason, remedy }) => (
        <li key={check} className="flex gap-2.5 px-3 py-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
          {icons[outcome]}
          <div className="min-w-0">
            <p className="font-medium">{checkNames[check]}</p>
            {reason && <p className="break-words text-muted text-xs">{reason}</p>}
            {remedy && <p className="break-words text-xs">{remedy}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Opens the sign-in of an app. The response goes to the app, which refuses it: it did not ask. The sign-in itself has worked then. */
export function TrySignIn({ client: { client_id, redirect_uris } }: { client: OAuthClient }) {
  return (
    <a
      href={signInUrl(client_id, redirect_uris[0] ?? '')}
      target="_blank"
      rel="noreferrer"
      className={`${linkClass} inline-flex items-center gap-1 justify-self-start [&_svg]:size-3.5`}
    >
      Try sign-in <ExternalLink aria-hidden />
    </a>
  );
}

/** With a code challenge, which public clients need; its verifier is not kept, because nobody exchanges the code. */
function signInUrl(client_id: string, redirect_uri: string): string {
  const random = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...random));
  const code_challenge = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'mcp',
    state: 'try-sign-in',
    code_challenge,
    code_challenge_method: 'S256',
  });
  return `/api/v1/oauth/authorize?${query}`;
}
