// A progress bar: one line on stderr that is written over, on a terminal only.

import type { OnProgress } from '../../server/src/commands/progress.ts';
import type { Context } from './context.ts';

const WIDTH = 24;
const MOVE_EVERY_MS = 120;

/** `end` removes the line; call it before anything else is written. */
export function showProgress({ stderr }: Context): { onProgress: OnProgress; end(): void } {
  if (!stderr.isTTY) return { onProgress: () => {}, end: () => {} };
  let current: Parameters<OnProgress>[0] | undefined;
  let moved = 0;
  const draw = () => {
    if (current) stderr.write(`\r\u001b[K${lineOf(current, moved)}`);
  };
  // Without a total the bar moves, so that people see that the command goes on.
  const timer = setInterval(() => {
    moved += 1;
    if (current?.total === null) draw();
  }, MOVE_EVERY_MS);
  return {
    onProgress(progress) {
      current = progress;
      draw();
    },
    end() {
      clearInterval(timer);
      if (current) stderr.write('\r\u001b[K');
    },
  };
}

function lineOf({ step, done, total }: Parameters<OnProgress>[0], moved: number): string {
  const count = done > 0 ? ` ${done.toLocaleString('en')}` : '';
  if (total === null) return `${step} [${'='.padStart((moved % WIDTH) + 1).padEnd(WIDTH)}]${count}`;
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const bar = '='.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH);
  return `${step} [${bar}] ${Math.floor(100 * share)} %${count} of ${total.toLocaleString('en')}`;
}
