// Finds a Chromium: TEST_BROWSER, then the PATH, then the places where systems install it.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
];
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string | null {
  const given = environment.TEST_BROWSER;
  if (given) {
    if (!isProgram(given)) throw new Error(`TEST_BROWSER is not a program: ${given}`);
    return given;
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const inPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...inPath, ...PLACES].find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
