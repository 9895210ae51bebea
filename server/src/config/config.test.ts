// Settings: the values each one accepts, and that all problems are reported together, without repeating a secret.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { problemsOf } from '../../test/support/servers/config-problems.ts';
import { readConfig, workerConfig } from './config.ts';
import { settingRows } from './table.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const POSTGRES = { DATABASE_URL: 'postgres://db/toolgate', TOOLGATE_MASTER_KEYS: `k1:${KEY}` };

test('an empty environment is a complete configuration', () => {
  const { data_dir, ...config } = readConfig({});
  assert.match(data_dir, /^\/|^[A-Z]:/);
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 3000,
    listen_url: 'http://127.0.0.1:3000',
    listens_everywhere: false,
    public_url: 'http://127.0.0.1:3000',
    database_url: null,
    direct_url: null,
    redis: { url: null, timeout_ms: 40 },
    root_key: null,
    metrics_token: null,
    otlp_endpoint: null,
    master_keys: [],
    max_projects: 100,
    owner: null,
    default_plan: 'free',
    egress_allow: [],
    egress_proxy: null,
    trusted_proxies: [],
    workers: 1,
    files_s3: null,
    file_hosts: ['*.oaiusercontent.com'],
    connections: { max: 10_000, max_per_address: 1_000 },
    stop: { drain_ms: 500, timeout_ms: 60_000 },
    retention: { event_days: 30, delivery_days: 30, call_log_days: 30, audit_days: 400, deleted_project_days: 30 },
    dynamic_registration: false,
    openai_challenge: null,
    dashboard: true,
    log_level: 'info',
    log_format: 'auto',
  });
});

test('every setting is read', () => {
  const config = readConfig({
    ...POSTGRES,
    DATABASE_DIRECT_URL: 'postgres://direct/toolgate',
    HOST: '0.0.0.0',
    PORT: '8080',
    TOOLGATE_PUBLIC_URL: 'https://tools.example.com/',
    TOOLGATE_DATA_DIR: 'somewhere',
    TOOLGATE_ROOT_KEY: 'r'.repeat(32),
    TOOLGATE_METRICS_TOKEN: 'm'.repeat(16),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/',
    TOOLGATE_MAX_PROJECTS: '7',
    TOOLGATE_OWNER_EMAIL: 'Owner@Example.com',
    TOOLGATE_OWNER_PASSWORD_FILE: '/run/secrets/owner',
    TOOLGATE_DEFAULT_PLAN: 'pro',
    TOOLGATE_EGRESS_ALLOW: '127.0.0.1:8443, 10.0.0.5:443',
    TOOLGATE_EGRESS_PROXY: 'http://gate:secret@proxy.internal:3128',
    TOOLGATE_EGRESS_PROXY_DNS: 'proxy',
    TOOLGATE_EGRESS_NO_PROXY: 'api.internal, 10.0.0.0/8',
    TOOLGATE_TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2',
    REDIS_URL: 'rediss://redis',
    TOOLGATE_REDIS_TIMEOUT_MS: '60',
    TOOLGATE_FILE_HOSTS: 'Files.example.com, *.example.org',
    TOOLGATE_FILES_S3_ENDPOINT: 'https://s3.example.com',
    TOOLGATE_FILES_S3_BUCKET: 'files',
    TOOLGATE_FILES_S3_REGION: 'eu-central-1',
    TOOLGATE_FILES_S3_ACCESS_KEY_ID: 'AKIA',
    TOOLGATE_FILES_S3_SECRET_ACCESS_KEY: 's'.repeat(40),
    TOOLGATE_WORKERS: '3',
    TOOLGATE_MAX_CONNECTIONS: '500',
    TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: '50',
    TOOLGATE_DRAIN_MS: '0',
    TOOLGATE_STOP_TIMEOUT_MS: '20000',
    TOOLGATE_EVENT_DAYS: '8',
    TOOLGATE_DELIVERY_DAYS: '2',
    TOOLGATE_CALL_LOG_DAYS: '4',
    TOOLGATE_AUDIT_DAYS: '3',
    TOOLGATE_DELETED_PROJECT_DAYS: '9',
    TOOLGATE_DYNAMIC_REGISTRATION: 'on',
    TOOLGATE_OPENAI_APPS_CHALLENGE: 'a1b2c3d4e5f6',
    TOOLGATE_DASHBOARD: 'off',
    TOOLGATE_LOG_LEVEL: 'warn',
    TOOLGATE_LOG_FORMAT: 'json',
  });
  const { master_keys, egress_allow, egress_proxy, ...rest } = config;
  const { direct, ...proxy } = egress_proxy ?? assert.fail();
  const authorization = `Basic ${Buffer.from('gate:secret').toString('base64')}`;
  assert.deepEqual(proxy, {
    scheme: 'http',
    hostname: 'proxy.internal',
    port: 3128,
    authorization,
    resolves_names: true,
  });
  assert.deepEqual([direct.hasName('api.internal'), direct.hasAddress('10.1.2.3')], [true, true]);
  assert.deepEqual(
    master_keys.map(({ id }) => id),
    ['k1'],
  );
  assert.deepEqual(
    egress_allow.map(({ text }) => text),
    ['127.0.0.1:8443', '10.0.0.5:443'],
  );
  assert.deepEqual(rest, {
    host: '0.0.0.0',
    port: 8080,
    listen_url: 'http://127.0.0.1:8080',
    listens_everywhere: true,
    public_url: 'https://tools.example.com',
    data_dir: resolve('somewhere'),
    database_url: 'postgres://db/toolgate',
    direct_url: 'postgres://direct/toolgate',
    redis: { url: 'rediss://redis', timeout_ms: 60 },
    root_key: 'r'.repeat(32),
    metrics_token: 'm'.repeat(16),
    otlp_endpoint: 'https://collector.example.com/otlp',
    max_projects: 7,
    owner: { email: 'owner@example.com', password_file: '/run/secrets/owner' },
    default_plan: 'pro',
    trusted_proxies: ['10.0.0.1', '10.0.0.2'],
    file_hosts: ['files.example.com', '*.example.org'],
    files_s3: {
      endpoint: 'https://s3.example.com',
      bucket: 'files',
      region: 'eu-central-1',
      access_key_id: 'AKIA',
      secret_access_key: 's'.repeat(40),
    },
    workers: 3,
    connections: { max: 500, max_per_address: 50 },
    stop: { drain_ms: 0, timeout_ms: 20_000 },
    retention: { event_days: 8, delivery_days: 2, call_log_days: 4, audit_days: 3, deleted_project_days: 9 },
    dynamic_registration: true,
    openai_challenge: 'a1b2c3d4e5f6',
    ...{ dashboard: false, log_level: 'warn', log_format: 'json' },
  });
});

test('the first owner needs an email address and a password file', () => {
  const problem = 'TOOLGATE_OWNER_EMAIL and TOOLGATE_OWNER_PASSWORD_FILE must be set together';
  assert.deepEqual(problemsOf({ TOOLGATE_OWNER_EMAIL: 'owner@example.com' }), [`  - ${problem}`]);
  assert.deepEqual(problemsOf({ TOOLGATE_OWNER_PASSWORD_FILE: '/run/secrets/owner' }), [`  - ${problem}`]);
  const both = { TOOLGATE_OWNER_EMAIL: 'nobody', TOOLGATE_OWNER_PASSWORD_FILE: '/run/secrets/owner' };
  assert.match(problemsOf(both)[0] ?? '', /TOOLGATE_OWNER_EMAIL must be an email address/);
});

const listening: [host: string, port: string, url: string, everywhere: boolean][] = [
  ['::1', '3000', 'http://[::1]:3000', false],
  ['127.0.0.1', '80', 'http://127.0.0.1', false],
  ['LOCALHOST', '3000', 'http://localhost:3000', false],
  ['0.0.0.0', '3000', 'http://127.0.0.1:3000', true],
  ['0', '3000', 'http://127.0.0.1:3000', true],
  ['::', '3000', 'http://[::1]:3000', true],
  ['0:0:0:0:0:0:0:0', '80', 'http://[::1]', true],
];
for (const [host, port, url, everywhere] of listening) {
  test(`${host} port ${port} is reached at ${url}, which is the public URL unless that is set`, () => {
    const { listen_url, public_url, listens_everywhere } = readConfig({ HOST: host, PORT: port });
    assert.deepEqual([listen_url, public_url, listens_everywhere], [url, url, everywhere]);
    const TOOLGATE_PUBLIC_URL = 'https://tools.example.com';
    assert.equal(readConfig({ HOST: host, PORT: port, TOOLGATE_PUBLIC_URL }).listen_url, url);
  });
}

test('one process serves on the embedded store, and one for each core on an external PostgreSQL', () => {
  assert.equal(readConfig({}).workers, 1);
  assert.equal(readConfig(POSTGRES).workers, availableParallelism());
});

test('a worker has its share of the connections', () => {
  const config = readConfig({ TOOLGATE_WORKERS: '3', TOOLGATE_MAX_CONNECTIONS: '100' });
  assert.deepEqual(workerConfig(config).connections, { max: 34, max_per_address: 334 });
});

test('with an external PostgreSQL, requests are accepted for two seconds after SIGTERM', () => {
  assert.equal(readConfig(POSTGRES).stop.drain_ms, 2_000);
});

test('an empty or blank setting counts as not set', () => {
  assert.equal(readConfig({ PORT: '', HOST: '  ', DATABASE_URL: ' ' }).port, 3000);
});

test('all problems are reported together, each with its setting', () => {
  const problems = problemsOf({
    PORT: '70000',
    DATABASE_URL: 'mysql://db',
    TOOLGATE_PUBLIC_URL: 'tools.example.com/path',
    TOOLGATE_ROOT_KEY: 'short',
    TOOLGATE_MASTER_KEYS: 'nonsense',
    TOOLGATE_DEFAULT_PLAN: 'gold',
    TOOLGATE_EGRESS_ALLOW: 'https://localhost',
    TOOLGATE_TRUSTED_PROXIES: 'not an address',
    TOOLGATE_LOG_LEVEL: 'loud',
  });
  for (const name of [
    'PORT',
    'DATABASE_URL',
    'TOOLGATE_PUBLIC_URL',
    'TOOLGATE_ROOT_KEY',
    'TOOLGATE_MASTER_KEYS',
    'TOOLGATE_DEFAULT_PLAN',
    'TOOLGATE_EGRESS_ALLOW',
    'TOOLGATE_TRUSTED_PROXIES',
    'TOOLGATE_LOG_LEVEL',
  ]) {
    assert.ok(
      problems.some((problem) => problem.startsWith(`  - ${name}`)),
      `${name} is not in\n${problems.join('\n')}`,
    );
  }
  assert.equal(problems.length, 9);
});

const refused: [setting: string, value: string][] = [
  ['PORT', '-1'],
  ['PORT', '0'],
  ['PORT', '80.5'],
  ['PORT', '0x50'],
  ['DATABASE_URL', 'localhost:5432'],
  ['TOOLGATE_PUBLIC_URL', 'ftp://example.com'],
  ['TOOLGATE_PUBLIC_URL', 'https://example.com/base'],
  ['TOOLGATE_PUBLIC_URL', 'https://user@example.com'],
  ['TOOLGATE_ROOT_KEY', 'r'.repeat(31)],
  ['TOOLGATE_ROOT_KEY', 'r'.repeat(257)],
  ['TOOLGATE_ROOT_KEY', `${'r'.repeat(32)} with blanks`],
  ['TOOLGATE_METRICS_TOKEN', 'm'.repeat(15)],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
  ['TOOLGATE_MASTER_KEYS', `k1:${KEY},k1:${KEY}`],
  ['TOOLGATE_MASTER_KEYS', 'k1:c2hvcnQ='],
  ['TOOLGATE_EGRESS_ALLOW', '127.0.0.1:0'],
  ['TOOLGATE_EGRESS_ALLOW', '10.0.0.5/8'],
  ['TOOLGATE_EGRESS_PROXY', 'proxy.internal:3128'],
  ['TOOLGATE_EGRESS_PROXY', 'http://proxy.internal/path'],
  ['TOOLGATE_EGRESS_PROXY_DNS', 'proxy'],
  ['TOOLGATE_EGRESS_NO_PROXY', 'api.internal'],
  ['TOOLGATE_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TOOLGATE_TRUSTED_PROXIES', 'proxy.example.com'],
  ['TOOLGATE_MAX_CONNECTIONS', '0'],
  ['TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS', 'many'],
  ['TOOLGATE_DRAIN_MS', '-1'],
  ['TOOLGATE_LOG_FORMAT', 'xml'],
  ['TOOLGATE_STOP_TIMEOUT_MS', '600001'],
  ['TOOLGATE_EVENT_DAYS', '6'],
  ['TOOLGATE_DELIVERY_DAYS', '0'],
  ['TOOLGATE_CALL_LOG_DAYS', '0'],
  ['TOOLGATE_AUDIT_DAYS', 'forever'],
  ['TOOLGATE_DELETED_PROJECT_DAYS', '-1'],
];
for (const [setting, value] of refused) {
  test(`${setting}=${value.slice(0, 40)} is refused`, () => {
    const problems = problemsOf({ ...POSTGRES, [setting]: value });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] as string, new RegExp(`^ {2}- ${setting}`));
  });
}

test('an external PostgreSQL requires master keys: there is no safe place to store a generated one', () => {
  assert.match(problemsOf({ DATABASE_URL: 'postgres://db/toolgate' }).join(), /TOOLGATE_MASTER_KEYS is required/);
});

test('no problem repeats a secret', () => {
  const secret = 'hunter2-hunter2';
  const problems = problemsOf({
    DATABASE_URL: `mysql://toolgate:${secret}@db`,
    TOOLGATE_ROOT_KEY: secret,
    TOOLGATE_MASTER_KEYS: `k1:${secret}`,
  });
  assert.equal(problems.length, 3);
  assert.ok(!problems.join().includes(secret));
});

test('every setting of the table is in the configuration', () => {
  const source = readFileSync(join(import.meta.dirname, 'config.ts'), 'utf8');
  const unused = settingRows.filter(
    ([name]) => !new RegExp(`\\b${name}\\b`).test(source.slice(source.indexOf('toConfig('))),
  );
  assert.deepEqual(unused, []);
});

test('a default that the documentation states is the one in effect', () => {
  const stated = settingRows
    .filter(([, { fallback }]) => fallback !== null)
    .map(([name, { fallback }]) => [name, fallback]);
  assert.deepEqual(readConfig(Object.fromEntries(stated)), readConfig({}));
  assert.deepEqual(readConfig({ TOOLGATE_DRAIN_MS: '500' }), readConfig({}));
});
