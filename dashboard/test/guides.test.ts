// The guide that each page links to.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { anchorOf } from '../../server/src/pages/markdown.ts';

const root = join(import.meta.dirname, '../..');
/** Not a name that the compiler follows: pages have the types of a browser, tests those of Node. */
const guides: string = '../src/ui/guides.ts';
const { guideOf } = await import(guides);

const paths = [
  ...readFileSync(join(root, 'dashboard/src/app/navigation.ts'), 'utf8').matchAll(/ to: '([^']+)', icon/g),
].map(([, to = '']) => to.replace('$projectId', 'prj_1'));

test('every page of the menu, and a page below it, links to a guide that exists, at a heading that exists', () => {
  assert.ok(paths.length > 12);
  for (const path of [...paths, ...paths.map((each) => `${each}/x_1`)]) {
    const [, name, anchor] = /^\/docs\/guides\/([a-z-]+)(?:#(.+))?$/.exec(guideOf(path)) ?? [];
    const file = join(root, name === 'start' ? 'README.md' : `docs/guides/${name}.md`);
    assert.ok(existsSync(file), `${path}: ${name}`);
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      anchorOf(heading),
    );
    assert.ok(anchor === undefined || headings.includes(anchor), `${path}: #${anchor}`);
  }
  assert.notEqual(guideOf('/projects/prj_1/webhooks/wh_1'), guideOf('/projects/prj_1'));
});
