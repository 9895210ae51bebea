// npm run demo: toolgate and a shop side by side, one tour through the product, and nothing left afterwards.
// npm run demo -- --keep: the same, and then both keep running with live traffic until Ctrl-C.

import { parseArgs } from 'node:util';
import { createPrint } from './print.ts';
import type { Surroundings } from './set-up.ts';

const intro = `toolgate gives a company's HTTPS API to AI models as tools. This demo runs three programs on your computer:
a shop with an API, toolgate, and an MCP client, which is the program around a model (there is no model here).
`;

const finished = `
Done. All programs are stopped, and their files are removed.
  The code of the shop: examples/shop
  The same with live traffic, until you press Ctrl-C: npm run demo -- --keep
  Your own first tool: docs/guides/first-tool.md
`;

/** As shells report a process that was ended by Ctrl-C. */
const INTERRUPTED = 130;

async function demonstrate(surroundings: Surroundings): Promise<void> {
  const { setUp, tour, printWhatToTry, keepCalling } = await loadSteps();
  const demo = await setUp(surroundings);
  await tour(demo);
  if (!surroundings.keep) return;
  printWhatToTry(demo);
  await keepCalling(demo);
}

/** After `npm ci --omit=dev` the MCP client is missing. */
async function loadSteps() {
  try {
    return { ...(await import('./set-up.ts')), ...(await import('./tour.ts')), ...(await import('./keep.ts')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('The MCP client is not installed: run npm ci (without --omit=dev).', { cause: error });
  }
}

async function run(keep: boolean): Promise<number> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupt.abort());
  // The terminal was closed, or `| head` has read enough. What can no longer be printed must not prevent the clean-up.
  process.stdout.on('error', () => interrupt.abort());
  process.stderr.on('error', () => {});
  const interrupted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const endings: (() => Promise<void>)[] = [];
  const atEnd = (work: () => Promise<void>) => void endings.push(work);
  process.stdout.write(intro);
  let failure: unknown;
  try {
    await Promise.race([demonstrate({ keep, print: createPrint(signal), signal, atEnd }), interrupted]);
  } catch (error) {
    if (!signal.aborted) failure = error;
  }
  for (const work of endings.reverse()) await work().catch((error: unknown) => (failure ??= error));
  if (failure) {
    process.stderr.write(`\nThe demo failed: ${failure instanceof Error ? failure.message : String(failure)}\n`);
    return 1;
  }
  process.stdout.write(signal.aborted ? '\nStopped. Nothing is left.\n' : finished);
  return signal.aborted && !keep ? INTERRUPTED : 0;
}

function wantsToKeep(): boolean {
  try {
    return parseArgs({ options: { keep: { type: 'boolean', default: false } } }).values.keep;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: npm run demo [-- --keep]\n`);
    process.exit(2);
  }
}

process.exitCode = await run(wantsToKeep());
