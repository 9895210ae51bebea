// Every command of the README and the guides works, as a new user runs them who reads this one page only: two new terminals for each page.
// Terminal 1 runs the server (`sh server` blocks), terminal 2 everything else. A JSON block after a command is its expected output. A block that cannot run
// here is marked with the reason: `sh example (needs Docker)`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { expectOutput } from '../guides/expect-output.ts';
import { makeUser } from '../guides/user.ts';
import { type Block, linksOf, pages, splitPage } from '../support/markdown.ts';

const guides = linksOf('docs/README.md').filter((link) => /^guides\/[\w-]+\.md$/.test(link));
const order = ['README.md', ...new Set(guides.map((link) => `docs/${link}`))];

const shellBlocks = (page: string) =>
  splitPage(page).blocks.filter(({ info }) => /^(sh|bash|shell|console)\b/.test(info));
const where = ({ page, line }: Block) => `${page}:${line}`;
const EXAMPLE = /^sh example \((.+)\)$/;

test('every block of commands is run, or says why it cannot be run here', (context) => {
  const wrong = pages
    .filter((page) => !page.includes('design/'))
    .flatMap(shellBlocks)
    .filter(({ page, info }) => !(EXAMPLE.test(info) || (order.includes(page) && ['sh', 'sh server'].includes(info))));
  assert.deepEqual(
    wrong.map((block) => `${where(block)}: ${block.info}`),
    [],
  );
  for (const block of pages.flatMap(shellBlocks)) {
    const [, reason] = EXAMPLE.exec(block.info) ?? [];
    if (reason) context.diagnostic(`NOT RUN: ${where(block)}: ${reason}`);
  }
});

/** What the README tells a user to have. Machines that merge changes have it too. */
const missing = ['curl', 'jq', 'openssl'].filter((program) => spawnSync(program, ['--version']).error);
const user = missing.length === 0 ? await makeUser() : null;
after(() => user?.leave());

for (const page of order) {
  test(`${page}: the commands work in their order`, async (context) => {
    if (user === null) {
      assert.equal(process.env.CI, undefined, `${missing} must be installed`);
      context.diagnostic(`NOT CHECKED: ${missing} is not installed`);
      return;
    }
    const { blocks } = splitPage(page);
    await user.openTerminals();
    for (const [i, block] of blocks.entries()) {
      if (block.info === 'sh server') await user.startServer(block.text);
      if (block.info !== 'sh') continue;
      const output = await user.run(block.text, where(block));
      const next = blocks[i + 1];
      if (next?.info === 'json' && next.follows) expectOutput(output, user.localize(next.text), where(next));
    }
  });
}
