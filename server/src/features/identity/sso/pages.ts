// The pages of single sign-on that the server draws itself: what a person is asked before a sign-in goes on, a sign-in that cannot go
// on, and the end of a test.

import type { SsoTest, SsoTestStep } from '@toolgate/contract/organizations/sso-test.ts';
import type { ApiError } from '../../../errors/errors.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/page.ts';
import type { Switch } from './sign-person-in.ts';

/** For a link that is not on a page of this server: whoever made it may want the person to sign in to an account of theirs. */
export function startPage(email: string): Page {
  return {
    status: 200,
    title: 'Sign in with single sign-on',
    form_targets: [],
    content: html`<h1>Sign in with single sign-on</h1>
<p class="muted">You opened a link that signs you in to toolgate with the identity provider for this email address:</p>
<ul role="list"><li><strong><bdi>${email}</bdi></strong></li></ul>
<p class="muted">If this is not your organization's email address, close this page.</p>
<form method="post" action="/api/v1/account/sso">
<input type="hidden" name="email" value="${email}">
<button class="primary">Continue with single sign-on</button>
</form>`,
  };
}

export function switchPage({ request_id, account, email }: Switch): Page {
  return {
    status: 200,
    title: `Continue as ${email}?`,
    form_targets: [],
    content: html`<h1>Continue as <bdi>${email}</bdi>?</h1>
<p class="muted">You are signed in as <strong><bdi>${account.email}</bdi></strong>. If you continue, this browser is signed out of that account and signed in as <strong><bdi>${email}</bdi></strong>.</p>
<p class="notice">Continue only if both accounts are yours. Someone who sent you here may want you to work in their account.</p>
<form method="post" action="/api/v1/account/sso/switch">
<input type="hidden" name="request_id" value="${request_id}">
<input type="hidden" name="account_id" value="${account.id}">
<button name="decision" value="continue" class="primary">Continue as <bdi>${email}</bdi></button>
<button name="decision" value="stay" class="quiet">Stay signed in as <bdi>${account.email}</bdi></button>
</form>`,
  };
}

export function refusalPage({ status, message, remedy }: ApiError, request_id: string): Page {
  return {
    status,
    title: message,
    form_targets: [],
    content: html`<h1>${message}</h1>
<p class="muted">${remedy}</p>
<p><a href="/sign-in">Back to the sign-in page</a></p>
<footer class="muted small"><p>Request <code>${request_id}</code></p></footer>`,
  };
}

export function testPage({ status, steps }: SsoTest): Page {
  const title = status === 'passed' ? 'Single sign-on works' : 'Single sign-on does not work yet';
  return {
    status: 200,
    title,
    form_targets: [],
    content: html`<h1>${title}</h1>
<p class="muted">Nothing was saved. Close this tab and go back to the settings.</p>
<ul>${steps.map(stepLine)}</ul>`,
  };
}

function stepLine({ step, outcome, found, reason, remedy }: SsoTestStep): Html {
  const words = { passed: 'passed', failed: 'failed', waiting: 'waiting', not_reached: 'not reached' };
  const more = [found, reason, remedy].filter((text) => text !== null).join('. ');
  return html`<li><strong>${step.replaceAll('_', ' ')}</strong>: ${words[outcome]}${more === '' ? null : html`<br><span class="muted small">${more}</span>`}</li>`;
}
