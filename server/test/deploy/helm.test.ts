// The Helm chart, as far as it can be checked without Helm and a cluster: its values, and what the templates render to. It is not installed by the tests.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { loadAll } from 'js-yaml';
import { readPage, root } from '../support/markdown.ts';
import { isSetting, readYaml } from './files.ts';

const folder = 'deploy/helm/toolgate';
const chart = readYaml(`${folder}/Chart.yaml`);
const values = readYaml(`${folder}/values.yaml`);
const schema = JSON.parse(readPage(`${folder}/values.schema.json`));
const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
const problemsOf = (given: object) => (isValid(given) ? null : isValid.errors);
const templates = globSync('templates/*', { cwd: join(root, folder) })
  .map((file) => readPage(`${folder}/${file}`))
  .join('\n');

test('the chart has the version of the project', () => {
  const { version } = JSON.parse(readPage('package.json'));
  assert.deepEqual(
    [chart.apiVersion, chart.name, chart.version, chart.appVersion],
    ['v2', 'toolgate', version, version],
  );
});

test('the schema accepts the values, knows each of them, and refuses an unknown or wrong one', () => {
  assert.equal(problemsOf(values), null);
  assert.deepEqual(
    Object.keys(schema.properties)
      .filter((name) => name !== 'global')
      .sort(),
    Object.keys(values).sort(),
  );
  for (const wrong of [
    { replica: 3 },
    { replicas: 0 },
    { publicUrl: 'tools.example.com' },
    { egressProxy: { dns: 'remote', noProxy: '' } },
    { settings: { PORT: 3000 } },
  ])
    assert.ok(problemsOf({ ...values, ...wrong }), JSON.stringify(wrong));
});

test('every value that a template uses exists, and every value is used', () => {
  const used = new Set([...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path));
  assert.ok(used.size > 20);
  const find = (path: string) => path.split('.').reduce((value, name) => value?.[name], values);
  assert.deepEqual(
    [...used].filter((path) => find(path) === undefined),
    [],
  );
  const unused = Object.entries<any>(values).flatMap(([name, value]) => {
    const isGroup = value && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0;
    const paths = isGroup && !used.has(name) ? Object.keys(value).map((part) => `${name}.${part}`) : [name];
    return paths.filter((path) => !used.has(path));
  });
  assert.deepEqual(unused, []);
});

test('every template that is included is defined, and every block is closed', () => {
  const defined = [...templates.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name);
  for (const [, name] of templates.matchAll(/include "([\w.]+)"/g)) assert.ok(defined.includes(name), name);
  const opened = templates.match(/\{\{-? *(?:if|range|with|define) /g)?.length;
  assert.equal(templates.match(/\{\{-? *end *-?\}\}/g)?.length, opened);
});

// ---- rendered

const cache = mkdtempSync(join(tmpdir(), 'toolgate-chart-'));
after(() => rmSync(cache, { recursive: true, force: true }));

type Rendered = { error: string | null; objects: any[] };

/** Null if Go, whose templates Helm uses, is not installed. */
function render(changes: object): Rendered | null {
  const result = spawnSync('go', ['run', join(import.meta.dirname, 'render-chart.go')], {
    input: JSON.stringify({
      folder: join(root, folder),
      values: { ...values, ...changes },
      release: { Name: 'shop', Namespace: 'default', Service: 'Helm' },
      chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    }),
    encoding: 'utf8',
    env: { ...process.env, GOCACHE: cache, GO111MODULE: 'off' },
  });
  if (result.error) return null;
  if (result.status !== 0) return { error: result.stderr, objects: [] };
  const files: Record<string, string> = JSON.parse(result.stdout);
  const manifests = Object.entries(files).filter(([name]) => name.endsWith('.yaml'));
  for (const [name, text] of manifests) assert.doesNotMatch(text, /<no value>/, name);
  return { error: null, objects: manifests.flatMap(([, text]) => loadAll(text)).filter(Boolean) };
}

const given = { publicUrl: 'https://tools.example.com', existingSecret: 'toolgate' };
const everything = {
  ...given,
  ingress: { ...values.ingress, enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
  autoscaling: { ...values.autoscaling, enabled: true },
  networkPolicy: { enabled: true, from: [{ podSelector: {} }], allow: [{ cidr: '10.0.0.0/24', port: 5432 }] },
  egressProxy: { dns: 'proxy', noProxy: 'api.internal,10.0.0.0/8' },
  extraCa: { configMap: 'company-ca', key: 'ca.pem' },
  podAnnotations: { a: 'b' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ operator: 'Exists' }],
};
const NOT_CHECKED = 'NOT CHECKED: go is not installed, so the templates were not rendered';

test('the templates render to the objects that the values ask for', (context) => {
  const few = render(given);
  if (few === null) return context.diagnostic(NOT_CHECKED);
  const kinds = ({ objects, error }: Rendered) => (error === null ? objects.map(({ kind }) => kind).sort() : error);
  assert.deepEqual(kinds(few), [
    'Deployment',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ]);
  const all = render(everything) as Rendered;
  assert.deepEqual(kinds(all), [
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ]);
  for (const { apiVersion, metadata } of all.objects) {
    assert.match(apiVersion, /^(v1|(apps|batch|policy|networking\.k8s\.io)\/v1|autoscaling\/v2)$/);
    assert.match(metadata.name, /^shop(-migrate)?$/);
    assert.equal(metadata.labels['app.kubernetes.io/instance'], 'shop');
  }
  assert.match((render({}) as Rendered).error ?? '', /publicUrl is required/);
  assert.match((render({ publicUrl: 'https://x' }) as Rendered).error ?? '', /existingSecret is required/);
});

test('the database is migrated by a hook, in pods that no Service and no budget selects, with secrets by reference', (context) => {
  const rendered = render(everything);
  if (rendered === null) return context.diagnostic(NOT_CHECKED);
  const find = (kind: string) => rendered.objects.find((object) => object.kind === kind);
  const { metadata, spec } = find('Job');
  assert.equal(metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
  const [container] = spec.template.spec.containers;
  assert.equal(container.image, find('Deployment').spec.template.spec.containers[0].image);
  assert.deepEqual(container.command, ['node', 'node_modules/.bin/toolgate', 'migrate']);
  assert.deepEqual(
    container.env
      .filter(({ valueFrom }: any) => valueFrom)
      .map(({ name, valueFrom }: any) => [name, valueFrom.secretKeyRef.name]),
    [
      ['DATABASE_URL', 'toolgate'],
      ['TOOLGATE_MASTER_KEYS', 'toolgate'],
      ['DATABASE_DIRECT_URL', 'toolgate'],
    ],
  );
  const selected = Object.entries<string>(find('Service').spec.selector);
  assert.ok(selected.some(([name, value]) => spec.template.metadata.labels[name] !== value));
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  const none = render({ ...everything, migrationHook: { ...values.migrationHook, enabled: false } }) as Rendered;
  assert.ok(none.objects.every(({ kind }) => kind !== 'Job'));
});

test('the pods are selected, probed, unprivileged, and configured with settings that the server knows', (context) => {
  const rendered = render(everything);
  if (rendered === null) return context.diagnostic(NOT_CHECKED);
  const find = (kind: string) => rendered.objects.find((object) => object.kind === kind).spec;
  const { template, selector, replicas } = find('Deployment');
  const [container] = template.spec.containers;
  assert.equal(replicas, undefined, 'the autoscaler decides');
  for (const labels of [
    selector.matchLabels,
    find('Service').selector,
    find('PodDisruptionBudget').selector.matchLabels,
    find('NetworkPolicy').podSelector.matchLabels,
  ])
    assert.deepEqual({ ...template.metadata.labels, ...labels }, template.metadata.labels);
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
    ({ httpGet }) => httpGet.path,
  );
  assert.deepEqual(probes, ['/healthz', '/readyz', '/healthz']);
  assert.equal(template.spec.securityContext.runAsNonRoot, true);
  assert.deepEqual(
    [container.securityContext.readOnlyRootFilesystem, container.securityContext.capabilities.drop],
    [true, ['ALL']],
  );
  const names = container.env.map(({ name }: { name: string }) => name);
  assert.deepEqual(
    names.filter((name: string) => !isSetting(name)),
    [],
  );
  const secrets = container.env.filter(({ valueFrom }: any) => valueFrom).map(({ name }: any) => name);
  assert.deepEqual(secrets, [
    'DATABASE_URL',
    'TOOLGATE_MASTER_KEYS',
    'TOOLGATE_ROOT_KEY',
    'DATABASE_DIRECT_URL',
    'REDIS_URL',
    'TOOLGATE_EGRESS_PROXY',
    'TOOLGATE_METRICS_TOKEN',
  ]);
  const { TOOLGATE_DRAIN_MS, TOOLGATE_STOP_TIMEOUT_MS } = values.settings;
  const stop_ms = Number(TOOLGATE_DRAIN_MS) + Number(TOOLGATE_STOP_TIMEOUT_MS);
  assert.ok(template.spec.terminationGracePeriodSeconds * 1000 >= stop_ms + 10_000);
});

test('the settings of a company network reach every container that needs them, and are absent without values', (context) => {
  const rendered = render(everything);
  if (rendered === null) return context.diagnostic(NOT_CHECKED);
  const podOf = ({ objects }: Rendered, kind: string) =>
    objects.find((object) => object.kind === kind).spec.template.spec;
  const settingOf = (pod: any, variable: string) =>
    pod.containers[0].env.find(({ name }: { name: string }) => name === variable)?.value;
  const server = podOf(rendered, 'Deployment');
  assert.equal(settingOf(server, 'TOOLGATE_EGRESS_PROXY_DNS'), 'proxy');
  assert.equal(settingOf(server, 'TOOLGATE_EGRESS_NO_PROXY'), 'api.internal,10.0.0.0/8');
  // PostgreSQL and Redis may have certificates of this authority too: the Job trusts it as well.
  for (const pod of [server, podOf(rendered, 'Job')]) {
    const mount = pod.containers[0].volumeMounts.find(({ name }: { name: string }) => name === 'ca');
    assert.equal(settingOf(pod, 'NODE_EXTRA_CA_CERTS'), `${mount.mountPath}/ca.pem`);
    const volume = pod.volumes.find(({ name }: { name: string }) => name === 'ca');
    assert.deepEqual(volume.configMap, { name: 'company-ca' });
  }
  for (const kind of ['Deployment', 'Job'])
    assert.doesNotMatch(JSON.stringify(podOf(render(given) as Rendered, kind)), /PROXY_DNS|NO_PROXY|EXTRA_CA|"ca"/);
});

test('liveness does not ask the database, and readiness fails well before liveness could restart a pod', (context) => {
  const rendered = render(given);
  if (rendered === null) return context.diagnostic(NOT_CHECKED);
  const [container] = rendered.objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers;
  const { livenessProbe, readinessProbe } = container;
  assert.deepEqual([livenessProbe.httpGet.path, readinessProbe.httpGet.path], ['/healthz', '/readyz']);
  // /readyz responds within 2 s while the database is away.
  assert.ok(readinessProbe.timeoutSeconds > 2 && livenessProbe.timeoutSeconds >= readinessProbe.timeoutSeconds);
});
