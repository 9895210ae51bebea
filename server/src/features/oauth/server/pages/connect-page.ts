// The pages of a connect link: it names the member and the project, because whoever made the link gets the use of the account.

import { html } from '../../../../pages/html.ts';
import type { Page } from '../../../../pages/page.ts';

type Connect = { project_name: string; external_id: string; provider_name: string };

export function connectPage(given: Connect & { link: string; confirmation: string }): Page {
  const { project_name, external_id, provider_name, link, confirmation } = given;
  const title = `Connect your ${provider_name} account?`;
  return {
    status: 200,
    title,
    form_targets: [],
    content: html`<h1>Connect your <bdi>${provider_name}</bdi> account?</h1>
<p class="muted"><bdi>${project_name}</bdi> will be able to use it when it acts for this user:</p>
<ul role="list"><li><strong><bdi>${external_id}</bdi></strong></li></ul>
<p class="notice">Continue only if this is you. If not, close this page: otherwise someone else could use your account.</p>
<form method="post" action="/api/v1/oauth/connect">
<input type="hidden" name="link" value="${link}">
<input type="hidden" name="confirmation" value="${confirmation}">
<button class="primary">Continue with <bdi>${provider_name}</bdi></button>
</form>`,
  };
}

/** Before who opened the link has said who they are. */
export function identifyPage(
  given: Connect & { link: string; providers: readonly { id: string; name: string }[] },
): Page {
  const { project_name, provider_name, link, providers } = given;
  return {
    status: 200,
    title: `Sign in to ${project_name}`,
    form_targets: [],
    content: html`<h1>Sign in to <bdi>${project_name}</bdi></h1>
<p class="muted">Sign in as the person who uses the app. Then you can connect your <bdi>${provider_name}</bdi> account.</p>
<form method="post" action="/api/v1/oauth/connect">
<input type="hidden" name="link" value="${link}">
${providers.map(({ id, name }) => html`<button name="provider" value="${id}">Continue with <bdi>${name}</bdi></button>\n`)}</form>`,
  };
}

export function connectedPage({ project_name, external_id, provider_name }: Connect): Page {
  const title = `Your ${provider_name} account is connected`;
  return {
    status: 200,
    title,
    form_targets: [],
    content: html`<h1>Your <bdi>${provider_name}</bdi> account is connected</h1>
<p class="muted"><bdi>${project_name}</bdi> can use it for <bdi>${external_id}</bdi>. You can close this page and return to your app.</p>`,
  };
}
