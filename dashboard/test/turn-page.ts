// From screen to screen inside of the application, by way of the sign-in, which forgets everything that was read: as much as a new
// page would show, for half of the processor time.

import type { Page } from 'playwright-core';

const SIGN_IN = '/sign-in';
/** The pages of the application. Everything else, such as the API reference, is a document of its own. */
const IN_APPLICATION = /^\/(account|people|projects\/[^#]*)?([?#]|$)/;

/** The script looks again and again, as the pages do not say when they are there. False after five seconds. */
const until = (condition: string) => `new Promise((done) => {
  let looks = 0;
  const timer = setInterval(() => {
    const is_so = ${condition};
    if (!is_so && (looks += 1) < 500) return;
    clearInterval(timer);
    done(is_so);
  }, 10);
})`;
const isSignIn = "document.querySelector('h1')?.textContent === 'Sign in'";

/** Else it is not a page behind the sign-in, shows a message, which would stay, or has timers that a test moves. */
const canLeave = `document.querySelector('#content') && !document.querySelector('[aria-label=Dismiss]') && /native code/.test(Date)`;

/** False if that is impossible. */
export function leaveScreen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    if (!(${canLeave})) return false;
    history.pushState(null, '', '${SIGN_IN}');
    return ${until(isSignIn)};
  })()`);
}

export const canEnter = (path: string): boolean => IN_APPLICATION.test(path);

/** After `leaveScreen`, for somebody with a session. */
export async function enterScreen(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.replaceState(null, '', ${JSON.stringify(path)}); ${until(`!(${isSignIn})`)}`);
}

/** Another screen for the same person. It reads everything again. */
export async function goTo(page: Page, path: string): Promise<void> {
  if (canEnter(path) && (await leaveScreen(page))) await enterScreen(page, path);
  else await page.goto(new URL(path, page.url()).href);
}
