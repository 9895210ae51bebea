// What the page of errors shows: every code, and every reason that is more exact than its code. commands/docs/errors-page.ts makes
// the Markdown from it.

import { type Reason, reasonRows } from '@toolgate/contract/errors.ts';
import { refusals } from './errors.ts';

export const explainedCodes = refusals.map(({ reason, ...row }) => ({ anchor: reason, ...row }));

const isCode = new Set<string>(refusals.map(({ reason }) => reason));

export const explainedReasons = (Object.keys(reasonRows) as Reason[])
  .filter((reason) => !isCode.has(reason))
  .map((anchor) => ({ anchor, ...reasonRows[anchor] }));
