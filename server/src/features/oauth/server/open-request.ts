// A sign-in begins: the request is stored, and the person sees what is asked for, unless they approved it before.

import type { Scope } from '@toolgate/contract/permissions.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { findApproval, keptToolsets } from '../grants/approvals.ts';
import type { Provider } from '../providers/provider.ts';
import { type Asked, findAsked } from './asked-toolsets.ts';
import { browserHash, type Visitor } from './browser.ts';
import type { OAuthClient } from './clients.ts';
import { goToProvider } from './go-to-provider.ts';
import { type Outcome, showPage } from './outcome.ts';
import { signInPage } from './pages/sign-in-page.ts';
import type { Preset } from './pages/toolset-choices.ts';
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
  /** Null: every tool. */
  toolset_ids: string[] | null;
};

export async function openRequest(app: App, visitor: Visitor, checked: CheckedRequest): Promise<Outcome> {
  const { project, providers } = checked;
  const page_secret = randomSecret(32);
  const request = newRequest(app, visitor, checked, page_secret);
  const question = await app.permits.run(project, async () => {
    const found = await findQuestion(app, request);
    await insertRequest(app.database, request);
    return found;
  });
  const [only, ...more] = providers;
  if (question.is_approved && only && more.length === 0)
    return goToProvider(app, visitor, { request, page_secret, provider: only });
  return showPage(pageOf(request, { project, providers, page_secret, question }));
}

/** What a person has to be asked; nothing if it was approved in this browser before. */
export type Question = { is_approved: boolean; scopes: Scope[]; asked: Asked };

/** Not in a transaction: see findAsked(). */
export async function findQuestion(app: App, request: SignInRequest): Promise<Question> {
  const approval = await findApproval(app, approvedClient(request));
  const asked = await findAsked(app, request, keptToolsets(approval));
  // What was approved for some toolsets was not approved for every tool.
  const has_tools = request.toolset_ids !== null || approval?.toolsets === null;
  const is_new = (scope: Scope) => !approval?.scopes.includes(scope) || (scope === 'mcp' && !has_tools);
  const scopes = request.scopes.filter(is_new);
  return { is_approved: approval !== null && scopes.length === 0 && asked.toolsets.length === 0, scopes, asked };
}

function newRequest(app: App, visitor: Visitor, checked: CheckedRequest, page_secret: string): SignInRequest {
  const { project, client, redirect_uri, state, code_challenge, resource, scopes, toolset_ids } = checked;
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
    toolset_ids,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + LIFETIME_MS).toISOString(),
  };
}

type Shown = {
  project: Pick<Project, 'name'>;
  providers: Pick<Provider, 'id' | 'name'>[];
  page_secret: string;
  question: Question;
  preset?: Preset;
  has_changed?: boolean;
};

export function pageOf(request: SignInRequest, shown: Shown) {
  const { project, providers, page_secret, question, preset = 'all', has_changed = false } = shown;
  const { client_kind: kind, client_id, client_name: name, redirect_uri, toolset_ids } = request;
  return signInPage({
    project_name: project.name,
    client: { kind, client_id, name },
    redirect_uri,
    // The check boxes say which tools.
    scopes: question.scopes.filter((scope) => scope !== 'mcp' || toolset_ids === null),
    asked: question.asked,
    preset,
    has_changed,
    providers,
    request: page_secret,
    is_approved: question.is_approved,
  });
}

/** What an approval has to cover. */
export function approvedClient({ project_id, browser_hash, client_id, redirect_uri, scopes }: SignInRequest) {
  return { project_id, browser_hash, client_id, redirect_uri: withoutPort(redirect_uri), scopes };
}
