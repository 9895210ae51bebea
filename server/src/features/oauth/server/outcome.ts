// What a step of a sign-in leads to: the browser is sent somewhere, or a page is shown.

import type { Page } from '../../../pages/page.ts';

export type Outcome = { kind: 'redirect'; url: string; cookie?: string } | { kind: 'page'; page: Page };

export const redirectTo = (url: string, cookie?: string): Outcome => ({
  kind: 'redirect',
  url,
  ...(cookie !== undefined && { cookie }),
});

export const showPage = (page: Page): Outcome => ({ kind: 'page', page });
