// The page of the documentation that each page links to.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSite } from '../../server/test/support/build-site.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';

/** Not a name that the compiler follows: pages have the types of a browser, tests those of Node. */
const guides: string = '../src/ui/guides.ts';
const { guideOf } = await import(guides);

const navigation = readFileSync(join(import.meta.dirname, '../src/app/navigation.ts'), 'utf8');
const paths = [...navigation.matchAll(/ to: '([^']+)', icon/g)].map(([, to = '']) => to.replace('$projectId', 'prj_1'));
buildSite();
const server = await startServer();

test('every page of the menu, and a page below it, links to a page that exists, at a heading that exists', async () => {
  assert.ok(paths.length > 12);
  for (const path of [...paths, ...paths.map((each) => `${each}/x_1`)]) {
    const [address = '', anchor] = guideOf(path).split('#');
    const page = await fetch(server.url + address);
    assert.equal(page.status, 200, `${path}: ${address}`);
    assert.ok(anchor === undefined || (await page.text()).includes(` id="${anchor}"`), `${path}: #${anchor}`);
  }
  assert.notEqual(guideOf('/projects/prj_1/webhooks/wh_1'), guideOf('/projects/prj_1'));
});
