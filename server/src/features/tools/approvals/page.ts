// The page where a member approves or declines a call: what is called with which arguments, each on a line that nothing in it can break.

import type { Project } from '../../../access/caller.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/page.ts';
import type { ApprovalRow } from './approval.ts';
import { argumentLines, visible } from './message.ts';

const page = (title: string, content: Html): Page => ({ status: 200, title, form_targets: [], content });

/** Before anybody has signed in: nothing of the call is shown to who only holds the link. */
export function signInFirst(
  { name }: Pick<Project, 'name'>,
  { id }: ApprovalRow,
  providers: readonly { id: string; name: string }[],
): Page {
  return page(
    `Sign in to ${name}`,
    html`<h1>Sign in to <bdi>${name}</bdi></h1>
<p class="muted">A call waits for your approval. Sign in to see what it does, and to approve or decline it.</p>
${
  providers.length === 0
    ? html`<p class="notice">You cannot sign in here. Open the app that you use, and approve or decline the call there.</p>`
    : html`<form method="post" action="/approve/${id}">
${providers.map(
  (provider) =>
    html`<button name="provider" value="${provider.id}"${providers.length === 1 ? html` class="primary"` : null}>Continue with <bdi>${provider.name}</bdi></button>
`,
)}</form>`
}`,
  );
}

/** What is asked. `confirmation` binds the form to the browser. */
export function decisionPage(
  { name }: Pick<Project, 'name'>,
  row: ApprovalRow,
  given: Record<string, unknown>,
  confirmation: string,
): Page {
  const title = `Allow ${row.tool_name}?`;
  const lines = argumentLines(given);
  return page(
    title,
    html`<h1>Allow <bdi>${row.tool_name}</bdi>?</h1>
<p class="muted">${row.client_name === null ? html`An app` : html`<bdi>${visible(row.client_name)}</bdi>`} wants to make this call for you in <bdi>${name}</bdi>.</p>
<ul role="list" aria-label="Arguments">
${lines.length === 0 ? html`<li>Without arguments</li>\n` : lines.map((line) => html`<li><code><bdi dir="ltr">${line}</bdi></code></li>\n`)}</ul>
<form method="post" action="/approve/${row.id}">
<input type="hidden" name="confirmation" value="${confirmation}">
<button name="decision" value="approve" class="primary">Allow this call once</button>
<button name="decision" value="decline" class="quiet">Decline</button>
</form>`,
  );
}

const outcomes: Record<ApprovalRow['status'], string> = {
  pending: 'This call waits for approval',
  approved: 'You allowed this call',
  used: 'This call was allowed and made',
  declined: 'This call was declined',
  expired: 'This request has expired',
  cancelled: 'This request was cancelled',
};

export function outcomePage({ status }: Pick<ApprovalRow, 'status'>): Page {
  const title = outcomes[status];
  return page(
    title,
    html`<h1>${title}</h1>
<p class="muted">You can close this page and return to your app.</p>`,
  );
}

/** For calls that an approver decides about. */
export function approverPage({ id, name }: Pick<Project, 'id' | 'name'>): Page {
  return page(
    'This call waits for an approver',
    html`<h1>This call waits for an approver</h1>
<p class="muted">Approvers of <bdi>${name}</bdi> approve or decline it in the dashboard.</p>
<p><a href="/projects/${id}/approvals">Open the dashboard</a></p>`,
  );
}
