// compose.yaml and the Dockerfile, as far as they can be checked without Docker. They are not run by the tests.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { MAX_PER_PROCESS, maxConnections } from '../../src/database/pool-sizes.ts';
import { readPage, root } from '../support/markdown.ts';
import { isSetting, readYaml, secondsOf } from './files.ts';

const compose = readYaml('compose.yaml');
const services = Object.entries<any>(compose.services);
const { toolgate } = compose.services;
const namesOf = (list: string[] = []) => list.map((entry) => entry.split(':')[0] as string);

test('every service restarts, has a health check and a version, and refers only to what the file declares', () => {
  assert.deepEqual(Object.keys(compose.services), ['toolgate', 'proxy', 'database', 'redis']);
  for (const [name, service] of services) {
    assert.equal(service.restart, 'unless-stopped', name);
    assert.ok(['CMD', 'CMD-SHELL'].includes(service.healthcheck.test[0]), name);
    if (name !== 'toolgate') assert.match(service.image, /^[\w/.-]+:\d+$/, name);
    for (const network of service.networks) assert.ok(network in compose.networks, `${name}: ${network}`);
    for (const volume of namesOf(service.volumes))
      assert.ok(
        volume.startsWith('./') ? existsSync(join(root, volume)) : volume in compose.volumes,
        `${name}: ${volume}`,
      );
    for (const secret of namesOf(service.secrets)) assert.ok(secret in compose.secrets, `${name}: ${secret}`);
    for (const [other, { condition }] of Object.entries<any>(service.depends_on ?? {})) {
      assert.ok(compose.services[other]?.healthcheck, `${name}: ${other}`);
      assert.equal(condition, 'service_healthy');
    }
  }
});

test('secrets are files that are not in the repository or the image, and only they hold secrets', () => {
  for (const { file } of Object.values<any>(compose.secrets)) assert.match(file, /^\.\/secrets\/\w+$/);
  assert.match(readPage('.gitignore'), /^\/secrets\/$/m);
  assert.match(readPage('.dockerignore'), /^\*\n/);
  for (const [name, { environment = {}, secrets }] of services)
    for (const [variable, value] of Object.entries<string>(environment)) {
      assert.doesNotMatch(value, /:\/\/[^/@]*:[^/@]*@/, `${name}: ${variable}`);
      if (!/PASSWORD|KEY|TOKEN|DATABASE_URL/.test(variable)) continue;
      const [, secret] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? [];
      assert.ok(variable.endsWith('_FILE') && secrets.includes(secret), `${name}: ${variable}`);
    }
});

test('toolgate has two replicas, settings that it knows, and no way to more privileges', () => {
  assert.equal(toolgate.deploy.replicas, 2);
  assert.deepEqual(
    Object.keys(toolgate.environment).filter((name) => !isSetting(name)),
    [],
  );
  const { subnet } = compose.networks.edge.ipam.config[0];
  assert.equal(toolgate.environment.TOOLGATE_TRUSTED_PROXIES, subnet);
  readConfig({ TOOLGATE_TRUSTED_PROXIES: subnet, TOOLGATE_PUBLIC_URL: 'https://localhost' });
  assert.deepEqual(
    [toolgate.read_only, toolgate.cap_drop, toolgate.security_opt],
    [true, ['ALL'], ['no-new-privileges:true']],
  );
  // With DATABASE_URL: what DRAIN_MS and STOP_TIMEOUT_MS are without a setting.
  const { drain_ms, timeout_ms } = readConfig({
    DATABASE_URL: 'postgres://x',
    TOOLGATE_MASTER_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  }).stop;
  assert.ok(secondsOf(toolgate.stop_grace_period) * 1000 > drain_ms + timeout_ms + 10_000);
});

test('the database and Redis are reached by toolgate only, and only the proxy has ports', () => {
  assert.equal(compose.networks.data.internal, true);
  for (const name of ['database', 'redis']) assert.deepEqual(compose.services[name].networks, ['data']);
  assert.deepEqual(
    services.filter(([, { ports }]) => ports).map(([name]) => name),
    ['proxy'],
  );
});

test('the database allows the connections of two replicas on 10 cores, and the guide names the number of a process', () => {
  const [, allowed] = /^max_connections=(\d+)$/.exec(compose.services.database.command.at(-1)) ?? [];
  const redis = { url: toolgate.environment.REDIS_URL, timeout_ms: 50 };
  const of_one = maxConnections({ database_url: 'postgres://x', redis, workers: 10 });
  assert.ok(toolgate.deploy.replicas * of_one + 10 <= Number(allowed));
  for (const page of [
    'docs/guides/deploy.md',
    'deploy/helm/toolgate/README.md',
    'deploy/helm/toolgate/templates/NOTES.txt',
  ])
    assert.match(readPage(page), new RegExp(`× ${MAX_PER_PROCESS}\\b|up to ${MAX_PER_PROCESS} connections`), page);
});

const instructions = readPage('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map((line) => /^(\w+) (.*)$/.exec(line)?.slice(1) as [string, string]);
const of = (instruction: string) => instructions.filter(([name]) => name === instruction).map(([, text]) => text);

test('the Dockerfile builds in stages, from versions, and starts the server as an ordinary user', () => {
  assert.deepEqual(
    of('FROM').map((text) => /^node:24-[\w-]+( AS \w+)?$/.test(text)),
    [true, true, true],
  );
  const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
  assert.equal(
    last.some(([name, text]) => name === 'RUN' && /npm|apt/.test(text)),
    false,
  );
  assert.deepEqual(
    last.filter(([name]) => name === 'USER').map(([, text]) => text),
    ['1000:1000'],
  );
  assert.match(of('HEALTHCHECK')[0] ?? '', /\/readyz/);
  for (const wrong of ['ADD', 'MAINTAINER', 'ENTRYPOINT']) assert.deepEqual(of(wrong), []);
  // The compiled server, with the flags of npm start.
  const { start } = JSON.parse(readPage('package.json')).scripts;
  const compiled = start
    .replace('./require-node-24.cjs', './node_modules/toolgate/require-node-24.cjs')
    .replace('server/src/main.ts', 'node_modules/toolgate/dist/server.js');
  assert.equal(`exec ${JSON.parse(of('CMD')[0] ?? '').join(' ')}`, compiled);
  const variables = of('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=')[0] ?? ''));
  assert.deepEqual(
    variables.filter((name) => !isSetting(name)),
    [],
  );
});

test('what is in the build context exists, with the package.json of every workspace', () => {
  const context = readPage('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const path of context) assert.ok(existsSync(join(root, path)), path);
  for (const workspace of JSON.parse(readPage('package.json')).workspaces)
    assert.ok(
      context.some((path) => `${workspace}/package.json`.startsWith(path)),
      workspace,
    );
});
