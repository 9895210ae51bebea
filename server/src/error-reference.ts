// What the pages of errors show: every code, and every reason that is more exact than its code. The Markdown page
// (commands/docs/errors-page.ts) and the page of the server (http/errors-page.ts) are made from it, with the same anchors.

import { causes } from './causes.ts';
import { refusals } from './errors.ts';
import { type Reason, remedies } from './remedies.ts';

const explain = (anchor: Reason) => ({ anchor, cause: causes[anchor], remedy: remedies[anchor] });

export const explainedCodes = refusals.map(({ status, code, message, reason }) => ({
  status,
  code,
  message,
  ...explain(reason),
}));

const isCode = new Set<string>(refusals.map(({ reason }) => reason));

export const explainedReasons = (Object.keys(remedies) as Reason[])
  .filter((reason) => !isCode.has(reason))
  .map(explain);
