import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Candidate, findProblems } from './release-problems.ts';

const ready: Candidate = {
  version: '0.2.0',
  workspace_versions: { server: '0.2.0', sdk: '0.2.0' },
  changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n- New.\n\n## 0.1.0 - 2026-11-17\n\n- First.\n',
  readmes: { 'README.md': 'npx toolgate start', 'sdk/README.md': 'npm i @toolgate/sdk' },
  tags: ['v0.1.0', 'v0.2.0'],
  tags_here: ['v0.2.0'],
  changed_files: [],
};

test('a version with its changes, its tag and everything committed can be published', () => {
  assert.deepEqual(findProblems(ready), []);
});

const cases: [title: string, change: Partial<Candidate>, expected: RegExp][] = [
  ['no section of the changelog', { changelog: '## Unreleased\n\n- New.\n' }, /no section "## 0\.2\.0/],
  ['a section without a date', { changelog: '## 0.2.0 - soon\n\n- New.\n' }, /has no date/],
  ['an empty section', { changelog: '## 0.2.0 - 2026-12-01\n\n## 0.1.0 - 2026-11-17\n\n- First.\n' }, /is empty/],
  [
    'a workspace of another version',
    { workspace_versions: { sdk: '0.1.0' } },
    /sdk\/package\.json has version 0\.1\.0/,
  ],
  [
    'a README that says it cannot be installed',
    { readmes: { 'sdk/README.md': 'It is not on npm yet.' } },
    /^sdk\/README\.md says/,
  ],
  ['no tag', { tags: ['v0.1.0'], tags_here: [] }, /git tag -a v0\.2\.0/],
  ['a tag of another commit', { tags_here: [] }, /v0\.2\.0 is another commit/],
  ['files that are not committed', { changed_files: [' M README.md'] }, /1 files are not committed/],
];
for (const [title, change, expected] of cases)
  test(`a version is not published with ${title}`, () => {
    const problems = findProblems({ ...ready, ...change });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', expected);
  });
