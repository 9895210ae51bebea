// The official conformance suite, both revisions, against a real server with real tools. not-applicable.ts lists what does not apply.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { conformancePage, countedChecks, failsOf, pageFile, passesOf } from './conformance-page.ts';
import { runAllRevisions, runAuthorization } from './conformance-runs.ts';
import { runThrough } from './conformance-through.ts';
import { runClientScenarios } from './conformance-upstream.ts';
import { notApplicable, notApplicableThrough } from './not-applicable.ts';

const runs = await runAllRevisions();
const through = await runThrough();
const client = await runClientScenarios();
const authorization = await runAuthorization();

/** The scenarios this endpoint promises to pass; the suite does not count all of them. */
const promised = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-error',
    'dns-rebinding-protection',
    'json-schema-2020-12',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-error',
    'dns-rebinding-protection',
    'http-header-validation',
    'http-custom-header-server-validation',
    'json-schema-2020-12',
  ],
} as const;

for (const [revision, run] of runs)
  for (const scenario of promised[revision]) {
    test(`${revision}: ${scenario} passes with every check`, () => {
      const checks = run.scenarios.get(scenario) ?? [];
      assert.deepEqual(failsOf(checks), []);
      assert.ok(passesOf(checks).length > 0);
    });
  }

const everyRun = [
  ...[...runs].map(([revision, run]) => ({ title: revision as string, revision, run, groups: notApplicable })),
  ...[...through].map(([revision, run]) => ({
    title: `${revision} through an MCP server`,
    revision,
    run,
    groups: notApplicableThrough,
  })),
];

for (const { title, revision, run, groups } of everyRun) {
  const excused = groups.flatMap((group) => group[revision]);
  const isExcused = (scenario: string) => excused.includes(scenario);

  test(`${title}: the suite exits with success`, () => {
    assert.equal(run.exit_code, 0, run.output);
  });

  test(`${title}: every scenario that applies passes, whether the suite counts it or not`, () => {
    for (const [scenario, checks] of run.scenarios) {
      if (isExcused(scenario)) continue;
      const counted = countedChecks(excused, scenario, checks);
      assert.deepEqual(failsOf(counted), [], scenario);
      assert.ok(passesOf(counted).length > 0, `${scenario} has nothing that passes`);
    }
  });

  test(`${title}: no entry of not-applicable.ts passes or is missing`, () => {
    const needless = excused.filter((entry) => {
      const [scenario = '', check] = entry.split(':');
      const checks = (run.scenarios.get(scenario) ?? []).filter(({ id }) => check === undefined || id === check);
      return checks.length === 0 || (failsOf(checks).length === 0 && passesOf(checks).length > 0);
    });
    assert.deepEqual(needless, []);
  });
}

for (const [revision, run] of client)
  for (const [scenario, checks] of run.scenarios)
    test(`client of ${revision}: ${scenario} passes with every check`, () => {
      assert.deepEqual(failsOf(checks), []);
      assert.ok(passesOf(checks).length > 0, run.output);
      assert.equal(run.exit_code, 0, run.output);
    });

test('authorization: every scenario for an authorization server passes with every check', () => {
  assert.equal(authorization.exit_code, 0, authorization.output);
  assert.deepEqual([...authorization.scenarios.keys()].sort(), [
    'authorization-code-grant',
    'authorization-server-metadata-endpoint',
  ]);
  for (const [scenario, checks] of authorization.scenarios) {
    assert.deepEqual(failsOf(checks), [], scenario);
    // A scenario that misses something it needs is skipped.
    assert.ok(passesOf(checks).length > 0, `${scenario} has nothing that passes`);
  }
});

test('docs/conformance.md matches this run (npm run conformance-docs writes it)', () => {
  assert.equal(readFileSync(pageFile, 'utf8'), conformancePage({ server: runs, through, client, authorization }));
});
