// A sign-in begins: the request is stored, and the person sees what is asked for, unless they approved it before.

import type { Scope } from '@toolgate/contract/permissions.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { isApproved } from '../grants/approvals.ts';
import type { Provider } from '../providers/provider.ts';
import { browserHash, type Visitor } from './browser.ts';
import type { OAuthClient } from './clients.ts';
import { goToProvider } from './go-to-provider.ts';
import { type Outcome, showPage } from './outcome.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { withoutPort } from './redirect-uri.ts';
import { insertRequest, type SignInRequest } from './request-store.ts';

const LIFETIME_MS = 10 * 60_000;

export type CheckedRequest = {
  project: Project;
  client: OAuthClient;
  providers: Provider[];
  redirect_uri: string;
  state: string | null;
  code_challenge: string | null;
  resource: string | null;
  scopes: Scope[];
};

export async function openRequest(app: App, visitor: Visitor, checked: CheckedRequest): Promise<Outcome> {
  const { project, providers } = checked;
  const page_secret = randomSecret(32);
  const request = newRequest(app, visitor, checked, page_secret);
  const is_approved = await app.permits.run(project, async () => {
    await insertRequest(app.database, request);
    return isApproved(app, approvedClient(request));
  });
  const [only, ...more] = providers;
  if (is_approved && only && more.length === 0)
    return goToProvider(app, visitor, { request, page_secret, provider: only });
  return showPage(pageOf(request, { project, providers, page_secret, is_approved }));
}

function newRequest(app: App, visitor: Visitor, checked: CheckedRequest, page_secret: string): SignInRequest {
  const { project, client, redirect_uri, state, code_challenge, resource, scopes } = checked;
  const now = app.now();
  return {
    id: newId('oar'),
    project_id: project.id,
    browser_hash: browserHash(visitor),
    page_hash: hashToken(page_secret),
    state_hash: null,
    provider_id: null,
    client_kind: client.kind,
    client_id: client.client_id,
    client_name: client.name,
    integration_id: client.integration_id,
    redirect_uri,
    state,
    code_challenge,
    resource,
    scopes,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + LIFETIME_MS).toISOString(),
  };
}

type Shown = {
  project: Pick<Project, 'name'>;
  providers: Pick<Provider, 'id' | 'name'>[];
  page_secret: string;
  is_approved: boolean;
};

export function pageOf(request: SignInRequest, { project, providers, page_secret, is_approved }: Shown) {
  const { client_kind: kind, client_id, client_name: name, redirect_uri, scopes } = request;
  return signInPage({
    project_name: project.name,
    client: { kind, client_id, name },
    redirect_uri,
    scopes,
    providers,
    request: page_secret,
    is_approved,
  });
}

/** What an approval has to cover. */
export function approvedClient({ project_id, browser_hash, client_id, redirect_uri, scopes }: SignInRequest) {
  return { project_id, browser_hash, client_id, redirect_uri: withoutPort(redirect_uri), scopes };
}
