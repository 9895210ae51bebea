// The pages of single sign-on that the server draws itself: a sign-in that cannot go on, and the end of a test.

import type { SsoTest, SsoTestStep } from '@toolgate/contract/organizations/sso-test.ts';
import type { ApiError } from '../../../errors/errors.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/page.ts';

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
