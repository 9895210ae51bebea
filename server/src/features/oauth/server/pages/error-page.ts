// The page for a sign-in that cannot go on. With `retry` it offers to sign in once more: nothing of the request was lost.

import type { ApiError } from '../../../../errors/errors.ts';
import { html } from '../../../../pages/html.ts';
import type { Page } from '../../../../pages/page.ts';

export type Retry = { request: string; provider: { id: string; name: string }; form_targets: string[] };

export function errorPage(refusal: ApiError, request_id: string | null, retry?: Retry): Page {
  const { status, message, remedy } = refusal;
  return {
    status,
    title: message,
    form_targets: retry?.form_targets ?? [],
    content: html`<h1>${message}</h1>
<p class="muted">${remedy}</p>
${retry ? retryForm(retry) : null}${request_id === null ? null : html`<footer class="muted small"><p>Request <code>${request_id}</code></p></footer>`}`,
  };
}

const retryForm = ({ request, provider }: Retry) => html`<form method="post" action="/api/v1/oauth/consent">
<input type="hidden" name="request" value="${request}">
<button name="provider" value="${provider.id}" class="primary">Try again with <bdi>${provider.name}</bdi></button>
<button name="decision" value="deny" class="quiet">Cancel</button>
</form>
`;
