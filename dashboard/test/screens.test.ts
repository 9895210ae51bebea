// Every screen: its heading and title, no violation in light and dark, and no sideways scrolling at 360, 768 and 1,600 px.

import assert from 'node:assert/strict';
import { addAccessSamples } from './access-samples.ts';
import {
  browserTest,
  closePage,
  type Dashboard,
  expectAccessible,
  expectNoOverflow,
  expectWholePageAccessible,
  forBothThemes,
  startDashboard,
  waitForData,
} from './open-browser.ts';

const WIDTHS = [360, 768, 1600];

const dashboard = await startDashboard();
const samples = await addAccessSamples(dashboard);

type Screen = { path: (dashboard: Dashboard) => string; heading: string; signedOut?: boolean };

const inProject = (path: string) => (dashboard: Dashboard) => `/projects/${dashboard.project_id}${path}`;
const screens: Screen[] = [
  { path: () => '/sign-in', heading: 'Sign in', signedOut: true },
  { path: () => '/', heading: 'Projects' },
  { path: () => '/account', heading: 'Your account' },
  { path: () => '/people', heading: 'People' },
  { path: inProject(''), heading: 'Overview' },
  { path: inProject('/api-keys'), heading: 'API keys' },
  { path: inProject('/api-keys?dialog=create'), heading: 'API keys' },
  { path: inProject('/integrations'), heading: 'Integrations' },
  { path: () => `/projects/${dashboard.project_id}/integrations/${samples.integration.id}`, heading: 'Web app' },
  { path: inProject('/oauth'), heading: 'OAuth' },
  { path: inProject('/oauth?dialog=create'), heading: 'OAuth' },
  { path: inProject('/assertion-keys'), heading: 'Assertion keys' },
  { path: inProject('/assertion-keys?dialog=create'), heading: 'Assertion keys' },
  { path: inProject('/members'), heading: 'Members' },
  { path: () => `/projects/${dashboard.project_id}/members/${samples.member.id}`, heading: 'user-42' },
  { path: inProject('/settings'), heading: 'Settings' },
  { path: inProject('/nothing-here'), heading: 'Page not found' },
];

const keys = `/projects/${dashboard.project_id}/api-keys`;
await dashboard.api('POST', keys, { name: 'Backend', permissions: ['read', 'write', 'webhook'] });
await dashboard.api('POST', keys, { name: 'long-name'.repeat(13), permissions: ['admin'] });
const { id } = await dashboard.api('POST', keys, { name: '<b>"hostile" & \u202Eeman</b>', permissions: ['read'] });
await dashboard.api('POST', `${keys}/${id}/revoke`);

for (const { path, heading, signedOut } of screens) {
  const name = path({ project_id: '{id}' } as Dashboard);
  browserTest(`${name} has no violation in light and dark, and fits every screen`, async () => {
    const page = await dashboard.open(path(dashboard), signedOut ? { as: null } : {});
    await page.getByRole('heading', { name: heading, level: 1, includeHidden: true }).waitFor();
    await waitForData(page);
    assert.ok((await page.title()).startsWith(heading), await page.title());
    assert.equal(await page.locator('h1').count(), 1);
    await forBothThemes(page, async (theme) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await expectWholePageAccessible(page, `${heading} in ${theme}`);
      for (const width of theme === 'light' ? WIDTHS : []) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoOverflow(page, `${heading} at ${width} px`);
      }
      await page.setViewportSize({ width: 360, height: 800 });
      await expectAccessible(page, `${heading} in ${theme} at 360 px`);
    });
    await closePage(page);
  });
}
