// A change on one replica is known to the others within a second: that is a guarantee, not an estimate.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Asks until the answer is as expected. What counts is when a request begins: on a busy machine it may take longer than a second. */
export async function withinASecond<Answer>(
  ask: () => Promise<Answer>,
  isExpected: (answer: Answer) => boolean,
): Promise<Answer> {
  const until = performance.now() + 1000;
  for (;;) {
    const asked_at = performance.now();
    const answer = await ask();
    if (isExpected(answer)) return answer;
    assert.ok(asked_at < until, `still as before after a second: ${inspect(answer)}`);
    await sleep(5);
  }
}
