// The page before the provider: which app asks, for what, and where to sign in. It is shown for a client that was not approved in
// this browser, and when there are several providers.

import type { OAuthClientKind } from '@toolgate/contract/oauth-grants/oauth-grant.ts';
import type { Scope } from '@toolgate/contract/permissions.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { Page } from '../../../../pages/page.ts';
import type { Asked } from '../asked-toolsets.ts';
import { isLoopback } from '../redirect-uri.ts';
import { type Preset, presetForm, toolsetChoices } from './toolset-choices.ts';

const allowances: Record<Scope, string> = {
  mcp: 'Call tools on your behalf',
  read: 'View the project, its analytics and settings',
  write: 'Create and change projects, tools and settings',
  webhook: 'Manage webhooks, integrations and sign-in providers',
  admin: 'Administer the project, with its keys and members',
};

export type SignInPage = {
  project_name: string;
  client: { kind: OAuthClientKind; client_id: string; name: string };
  redirect_uri: string;
  /** Those that were not approved yet. `mcp` only if it is every tool. */
  scopes: readonly Scope[];
  /** The toolsets that are asked for. */
  asked: Asked;
  preset: Preset;
  /** The person sent the page before, and what it asked for is not the same any more. */
  has_changed: boolean;
  providers: readonly { id: string; name: string }[];
  /** The secret of the request. */
  request: string;
  is_approved: boolean;
};

export function signInPage(given: SignInPage): Page {
  const { project_name, client, providers, request, is_approved, redirect_uri, asked, preset, has_changed } = given;
  const title = is_approved ? `Sign in to ${project_name}` : `Allow ${client.name} to use ${project_name}?`;
  return {
    status: has_changed ? 409 : 200,
    title,
    form_targets: formTargets(redirect_uri),
    content: html`${heading(given)}
${is_approved ? html`<p class="muted">You continue to <bdi>${client.name}</bdi>.</p>` : consent(given)}
<form method="post" action="/api/v1/oauth/consent">
<input type="hidden" name="request" value="${request}">
<input type="hidden" name="shown_at" value="${String(asked.shown_at)}">
${is_approved ? null : toolsetChoices(asked, preset)}${providers.map(
  ({ id, name }) =>
    html`<button name="provider" value="${id}"${providers.length === 1 ? html` class="primary"` : null}>Continue with <bdi>${name}</bdi></button>
`,
)}<button name="decision" value="deny" class="quiet">Cancel</button>
</form>
<footer class="muted small"><p>After you sign in, you return to ${destination(redirect_uri)}.</p></footer>${is_approved || asked.toolsets.length === 0 ? null : presetForm(request)}`,
  };
}

/** The names are isolated: a name in another direction of writing does not reorder the sentence. */
function heading({ project_name, client, is_approved }: SignInPage): Html {
  return is_approved
    ? html`<h1>Sign in to <bdi>${project_name}</bdi></h1>`
    : html`<h1>Allow <bdi>${client.name}</bdi> to use <bdi>${project_name}</bdi>?</h1>`;
}

/** The name is not repeated here: a long one would push the rest off the screen. */
function consent({ client, scopes, has_changed }: SignInPage): Html {
  return html`<p class="muted">You sign in on the next page.</p>
${has_changed ? html`<p class="notice">The project changed its tools while you looked at this page. Check them again.</p>\n` : null}${warning(client)}${
  scopes.length === 0
    ? null
    : html`<h2 id="allowed">It will be able to</h2>
<ul role="list" aria-labelledby="allowed">
${scopes.map((scope) => html`<li>${allowances[scope]}</li>\n`)}</ul>`
}`;
}

/** Anyone can choose the name of a client that the project did not register. */
function warning({ kind, client_id }: SignInPage['client']): Html | null {
  if (kind === 'registered') return null;
  const origin =
    kind === 'metadata' ? html`It identifies itself as <code>${client_id}</code>.` : html`It registered itself.`;
  return html`<p class="notice">This project did not set up this app. ${origin} Continue only if you started this yourself.</p>
`;
}

/** Browsers cannot express [::1] in a policy. */
export function formTargets(redirect_uri: string): string[] {
  if (!isLoopback(redirect_uri)) return [];
  const { origin, hostname } = new URL(redirect_uri);
  return [hostname === '[::1]' ? 'http:' : origin];
}

function destination(redirect_uri: string): Html {
  if (isLoopback(redirect_uri)) return html`an app on this computer`;
  return html`<strong>${new URL(redirect_uri).host}</strong>`;
}
