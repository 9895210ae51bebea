// Pages of one Chromium that serve test after test: a new page costs several times as much as to go elsewhere in one that is
// there. Each use begins signed out and with empty storage.

import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { chromium } from 'playwright-core';
import { leaveScreen } from './turn-page.ts';

/** With WATCH_BROWSER=500 the browser has a window, and waits so many milliseconds before each step. */
const WATCHED_MS = Number(process.env.WATCH_BROWSER ?? 0);
const ARGUMENTS = [
  ...(WATCHED_MS > 0 ? [] : ['--headless']),
  '--no-sandbox',
  '--disable-gpu',
  // Otherwise letters are moved to whole pixels, and the spaces between words vanish.
  '--font-render-hinting=none',
  '--disable-background-networking',
  // A site that browsers do not treat as secure, unlike every loopback address.
  '--host-resolver-rules=MAP toolgate.test 127.0.0.1',
  // A page is open for a few seconds: to optimize its scripts takes longer than they run.
  '--js-flags=--no-opt --no-maglev',
];
/** The machine may be busy; an error is on the screen within 10 seconds. */
const TIMEOUT_MS = 20_000;
/** More are closed. Most tests need one, and none more than two for long. */
const MOST_SPARE = 2;
/** What tests listen to. Playwright listens to other events of a page itself. */
const EVENTS = ['console', 'dialog', 'pageerror', 'request', 'response'];

type Kind = { touch: boolean; is_reused: boolean; has_scripts: boolean };
type SharedPage = Kind & {
  page: Page;
  /** Of the server at whose sign-in the page waits; null if it is elsewhere. */
  waits_at: string | null;
};

/** One for all files that a process runs. It ends with the process. */
let browser: Promise<Browser> | null = null;
const used = new Map<Page, SharedPage>();
const spare = new Set<SharedPage>();

/** By context, which has one page: what it waits for. */
const pending = new WeakMap<BrowserContext, Set<Request>>();

function watchRequests(context: BrowserContext): void {
  const requests = new Set<Request>();
  pending.set(context, requests);
  context.on('request', (request) => requests.add(request));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    context.on(event as 'requestfinished', (request) => requests.delete(request));
}

export const isWaiting = (page: Page): boolean => (pending.get(page.context())?.size ?? 0) > 0;

/** `prepare` gets a page that is new. */
export async function takePage(
  executable: string,
  kind: Kind,
  prepare: (page: Page) => Promise<void>,
): Promise<Pick<SharedPage, 'page' | 'waits_at'>> {
  const found = kind.is_reused && kind.has_scripts ? [...spare].find(({ touch }) => touch === kind.touch) : undefined;
  if (found) {
    spare.delete(found);
    used.set(found.page, found);
    return found;
  }
  browser ??= chromium.launch({
    executablePath: executable,
    args: ARGUMENTS,
    headless: WATCHED_MS === 0,
    slowMo: WATCHED_MS,
  });
  const context = await (await browser).newContext({ hasTouch: kind.touch, javaScriptEnabled: kind.has_scripts });
  context.setDefaultTimeout(TIMEOUT_MS);
  watchRequests(context);
  const page = await context.newPage();
  const taken = { ...kind, page, waits_at: null };
  used.set(page, taken);
  await prepare(page);
  return taken;
}

/**
 * The page is signed out and has forgotten what it stored. It waits at the sign-in if it can, and else goes on until it is used
 * again or `leavePages`.
 */
export async function givePageBack(page: Page): Promise<void> {
  const shared = used.get(page);
  used.delete(page);
  const context = page.context();
  const is_spare = shared?.is_reused && shared.has_scripts && context.pages().length === 1 && spare.size < MOST_SPARE;
  if (!is_spare || !(await isReusable(page))) return context.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  shared.waits_at = (await waitAtSignIn(page)) ? new URL(page.url()).origin : null;
  for (const event of EVENTS) page.removeAllListeners(event);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  await context.clearPermissions();
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  spare.add(shared);
}

/** False for a clock that a test has set, which cannot be put back, and for a document without storage. A set Date looks native. */
function isReusable(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('localStorage.length >= 0 && /native code/.test(setTimeout)').catch(() => false);
}

/** A theme that was chosen lasts as long as the page. */
async function waitAtSignIn(page: Page): Promise<boolean> {
  return (await page.evaluate<boolean>("!('toolgate-theme' in localStorage)")) && leaveScreen(page);
}

/** Prints what is on the screen when a test fails: the error tells only what is not. */
export async function describeUsedPages(): Promise<void> {
  for (const page of used.keys()) {
    const content = await page.ariaSnapshot({ timeout: 2_000 }).catch((error: unknown) => String(error));
    process.stderr.write(`The page at ${page.url()}:\n${content}\n`);
  }
}

/** Those that a failed test has left are closed. */
export async function closeUsedPages(): Promise<void> {
  const left = [...used.keys()];
  used.clear();
  await Promise.all(left.map((page) => page.context().close()));
}

/** Stops what the pages ask of a server that is about to end. A document of the same site keeps the process of the page. */
export async function leavePages(origin: string): Promise<void> {
  const going = [...spare].filter(({ waits_at }) => waits_at === null);
  await Promise.all(going.map(({ page }) => page.goto(`${origin}/healthz`)));
}
