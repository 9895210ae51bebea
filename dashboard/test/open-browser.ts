// A real Chromium in front of a real server. Every page is watched: an error in its console, a violation of its policy or a
// request to another origin fails the test that opened it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { makeOwner, type Person } from '../../server/test/support/make/make-accounts.ts';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { startServer, type TestServer } from '../../server/test/support/servers/start-server.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { findBrowser } from './find-browser.ts';
import { closeUsedPages, describeUsedPages, givePageBack, isWaiting, leavePages, takePage } from './shared-pages.ts';
import { canEnter, enterScreen } from './turn-page.ts';

export type PageOptions = {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** A screen that is touched. */
  touch?: boolean;
  /** Who is signed in; the owner if nothing is given, nobody if null. */
  as?: Person | null;
  /** What must be there before the page is loaded, such as a request that fails. */
  before?: (page: Page) => Promise<unknown>;
  /** False for a test that adds a script to every page that is loaded: it would be there for other tests too. */
  is_reused?: boolean;
  /** False: the person has disabled JavaScript. */
  has_scripts?: boolean;
};

export type Dashboard = {
  server: TestServer;
  /** Has made the project. */
  owner: Person;
  project_id: string;
  /** Sends a request as the owner; it must succeed. */
  api(method: string, path: string, body?: unknown): Promise<any>;
  open(path: string, options?: PageOptions): Promise<Page>;
};

const executable = findBrowser();
/** Half as long as the source that the package exports, and every page compiles it again. */
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * A test that needs a browser. Without one it is skipped, and says so; with REQUIRE_BROWSER, which .ci/run sets,
 * it fails.
 */
export function browserTest(title: string, body: () => Promise<void>): void {
  const reason = 'NO BROWSER WAS FOUND: install Chromium, or set TEST_BROWSER to its program';
  const closing = async () => {
    try {
      await body();
    } catch (error) {
      await describeUsedPages();
      throw error;
    } finally {
      await closeUsedPages();
    }
  };
  if (executable !== null) test(title, closing);
  else if (process.env.REQUIRE_BROWSER) test(title, () => assert.fail(reason));
  else test(title, { skip: reason }, body);
}

/** Its public URL is its address, as the check of the Origin needs it. */
export async function startServerWithDashboard(environment: Record<string, string> = {}): Promise<TestServer> {
  const port = await freePort();
  after(() => leavePages(`http://127.0.0.1:${port}`));
  return startServer({ PORT: String(port), TOOLGATE_DASHBOARD: 'on', ...environment });
}

/** A server with an owner and one project. Start it outside of a test: it is stopped when the file, or that test, ends. */
export async function startDashboard(environment: Record<string, string> = {}): Promise<Dashboard> {
  const server = await startServerWithDashboard(environment);
  const owner = await makeOwner(server);
  const project_id: string = owner.project.id;
  return {
    server,
    owner,
    project_id,
    async api(method, path, body) {
      const headers = { 'x-project-id': project_id };
      const response = await owner.api(method, path, body === undefined ? { headers } : { headers, body });
      assert.ok(response.status < 300, response.text);
      return response.body;
    },
    open: (path, { as = owner, ...options } = {}) => openPage(server, path, { as, ...options }),
  };
}

export async function openPage(
  server: Pick<TestServer, 'url'>,
  path: string,
  { width = 1280, height = 800, theme = 'light', touch = false, as = null, before, ...kind }: PageOptions = {},
): Promise<Page> {
  const { is_reused = true, has_scripts = true } = kind;
  const { page, waits_at } = await takePage(executable as string, { touch, is_reused, has_scripts }, reportViolations);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  if (before) {
    // Nothing that the page did before is in its way.
    await page.goto(`${server.url}/healthz`);
    await before(page);
  }
  if (as) {
    const [name = '', value = ''] = as.cookie.split('=');
    // As the server sets it.
    await page.context().addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
  }
  watch(page, server.url);
  if (waits_at === server.url && as && !before && canEnter(path)) await enterScreen(page, path);
  else await page.goto(server.url + path);
  return page;
}

const problems = new WeakMap<Page, string[]>();

/** What a script catches itself, such as an eval that is tried, is not in the console. */
async function reportViolations(page: Page): Promise<void> {
  await page.exposeFunction('reportViolation', (text: string) =>
    problems.get(page)?.push(`violation of the policy: ${text}`),
  );
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    reportViolation([violatedDirective, blockedURI, sourceFile].join(' ')))`);
}

function watch(page: Page, origin: string): void {
  const found: string[] = [];
  problems.set(page, found);
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser reports every answer of 400 and more; pages show those themselves.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) found.push(`request to ${url}`);
  });
}

/** Ends the page: nothing was wrong in its console, its policy was not violated, and it asked no other origin. */
export async function closePage(page: Page): Promise<void> {
  await givePageBack(page);
  assert.deepEqual(problems.get(page), []);
}

/** Base UI's guards are focusable and hidden on purpose: they send the focus back into an open menu at once. */
const GUARDS = '[data-base-ui-focus-guard]';

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };

type AxeOptions = { isWhole: boolean; except?: string | undefined };

/** Pages that `forBothThemes` shows a second time: only their colors are others. */
const recolored = new WeakSet<Page>();

/**
 * What is new in the page, as axe sees it: the dialog in front, or the content, with what is in front of it; a page without the frame of
 * the dashboard as a whole. `expectWholePageAccessible` checks the frame, once for each screen. Nothing moves any more: what comes
 * or goes meanwhile, such as a message, does so without a fade whose colors would not be read.
 * `except`: selects what is drawn by a package that we cannot change.
 */
export async function expectAccessible(page: Page, what: string, except?: string): Promise<void> {
  await checkWithAxe(page, what, { isWhole: except !== undefined, except });
}

/** The same with the frame, and with the rules about a page as a whole. */
export async function expectWholePageAccessible(page: Page, what: string): Promise<void> {
  await checkWithAxe(page, what, { isWhole: true });
}

/** Scripts are text here: the types of the tests have no DOM. What is behind a dialog is hidden from everybody, and from axe too. */
const NEW_PARTS = `(() => {
  const content = document.querySelector('#content');
  if (!content) return [document];
  const inFront = [...document.querySelectorAll('body > :not(#root, script)')];
  return content.closest('[aria-hidden=true], [inert]') ? inFront : [content, ...inFront];
})()`;

/** The end of one transition begins others: those of elements that inherit its color. */
const STILLNESS = `(async () => {
  const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running');
  for (let some = moving(); some.length > 0; some = moving())
    await Promise.all(some.map(({ finished }) => finished.catch(() => {})));
})()`;

async function checkWithAxe(page: Page, what: string, { isWhole, except }: AxeOptions): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(STILLNESS);
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  const exclude = JSON.stringify([[GUARDS], ...(except ? [[except]] : [])]);
  // What passes need not be described. What is loaded before would be for audio, and for a rule that is off.
  const options = JSON.stringify({
    resultTypes: ['violations'],
    preload: false,
    ...(recolored.has(page) && { runOnly: ['color-contrast'] }),
  });
  const violations: Violation[] = await page.evaluate(
    `axe.run({ include: ${isWhole ? '[document]' : NEW_PARTS}, exclude: ${exclude} }, ${options}).then(({ violations }) => violations)`,
  );
  await page.emulateMedia({ reducedMotion: null });
  const describe = ({ id, nodes }: Violation) =>
    `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' ')}`;
  assert.deepEqual(violations.map(describe), [], what);
}

export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const overflow: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.ok(overflow <= 0, `${what} is ${overflow} px wider than the screen`);
}

/** A secret that was shown once is neither in the page nor in any storage of the browser. */
export async function expectGone(page: Page, secret: string): Promise<void> {
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state])';
  const fields = "[...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(' ')";
  const left = [await page.content(), await page.evaluate(stored), await page.evaluate(fields)].join('\n');
  assert.ok(!left.includes(secret), 'the secret is still in the page or in its storage');
}

/** The same page in light and then in dark, as the setting of the system changes. */
export async function forBothThemes(page: Page, check: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
    if (theme === 'dark') recolored.add(page);
    await check(theme);
  }
  recolored.delete(page);
}

/** A screen without a violation in both themes, which a phone and other widths have room for. A theme changes nothing but colors. */
export async function expectScreen(page: Page, what: string, widths = [375]): Promise<void> {
  await forBothThemes(page, async (theme) => {
    await expectAccessible(page, `${what} in ${theme}`);
    if (theme === 'dark') return;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoOverflow(page, `${what} at ${width} px`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
}

/** Waits until no skeleton is left. */
export async function waitForData(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('.animate-skeleton').first().waitFor({ state: 'detached' });
}

/** Opens the menu "Actions" of a row and chooses one. */
export async function chooseAction(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('row', { name: row }).first().getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Types the name into a dialog that asks for it, and confirms. */
export async function confirmByName(dialog: Locator, name: string, action = 'Delete'): Promise<void> {
  await dialog.getByLabel('Type the name to confirm').fill(name);
  await dialog.getByRole('button', { name: action }).click();
}

/** As if the person came back to the tab minutes later: what it shows is read again. */
export async function comeBack(page: Page): Promise<void> {
  // What it still waits for is not asked for again, and may be older than what the test has changed.
  await waitUntil(async () => !isWaiting(page), 20_000, 'the page waits for no answer');
  // Later than whatever the page has read, also if it has come back before.
  await page.clock.setFixedTime((await page.evaluate<number>('Date.now()')) + 300_000);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
}

export async function waitForValue(field: Locator, value: string): Promise<void> {
  await waitUntil(async () => (await field.inputValue()) === value, 20_000, `the field has the value ${value}`);
}
