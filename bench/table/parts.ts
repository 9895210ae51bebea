// The parts of the table. Each starts the servers that it compares, measures them in turn, and stops them.

import { join } from 'node:path';
import type { Template } from '../load.ts';
import { measureBodies, measureDownloads } from './bodies.ts';
import { measureFanOut } from './fan-out.ts';
import { readCacheMisses, startEmbeddedGateway, startExternalGateway, startPeer } from './gateway.ts';
import { measureMcpServers } from './mcp-servers.ts';
import { startNginx } from './nginx.ts';
import { measurePoolers } from './poolers.ts';
import { exchange, execute, freshAssertions, readProject, toolsCall, toolsList } from './requests.ts';
import { type AbsentRow, measure, type Row, type Server, type Target } from './rounds.ts';
import { FEW, MANY_KEYS, MANY_PROJECTS, MANY_TOOLS, makeProject, multiply, type Project } from './seed.ts';
import type { Site } from './site.ts';
import { measureToolsets } from './toolsets.ts';

export type AnyRow = Row | AbsentRow;
export type Part = (site: Site) => Promise<AnyRow[]>;

/** The gateway as npm start runs it. Other parts compare with it too. */
export const OURS = 'toolgate';
export const BARE_FASTIFY = 'bare Fastify route, same JSON';
export const READY_MADE = 'bare Fastify route, same JSON as one prepared text';

const servers = join(import.meta.dirname, '../servers');
const number = (value: number) => value.toLocaleString('en');
const names = ({ keys, tools }: Project) => ({ key: keys, tool: tools.map(({ name }) => name) });

async function measureAndStop(site: Site, targets: Target[]): Promise<Row[]> {
  try {
    return await measure(site.bench, targets);
  } finally {
    for (const server of new Set(targets.map(({ server }) => server))) await server.stop();
  }
}

const startOurs = (site: Site) => startEmbeddedGateway(site, { from: site.seeded, to: `ours-${Date.now()}` });

function startSdk(site: Site, version: 'v1' | 'v2'): Promise<Server> {
  const script = join(servers, `sdk-${version}.ts`);
  return startEmbeddedGateway(site, { from: site.seeded, to: `sdk-${version}-${Date.now()}`, script });
}

const calls: Part = async (site) => {
  const operation = 'tools/call';
  const ours = await startOurs(site);
  const nginx = await startNginx(site.folder, site.customer);
  const modern = toolsCall(names(site.signed));
  const legacy = toolsCall(names(site.signed), { is_legacy: true });
  const ids = { key: site.signed.keys, tool: site.signed.tools.map(({ id }) => id) };
  const TOOLS = site.signed.tools.map(({ name }) => name).join(',');
  const targets: Target[] = [
    { operation, name: OURS, server: ours, template: modern },
    { operation, name: `${OURS}, revision 2025-11-25`, server: ours, template: legacy },
    { operation, name: `${OURS}, REST execute`, server: ours, template: execute(ids) },
    { operation, name: 'bare Node proxy', server: await startPeer(site, 'bare-proxy.ts'), template: modern },
    ...(nginx ? [{ operation, name: 'nginx as a proxy', server: nginx, template: modern }] : []),
    { operation, name: 'official SDK v2 in our gateway', server: await startSdk(site, 'v2'), template: modern },
    { operation, name: 'official SDK v1 in our gateway', server: await startSdk(site, 'v1'), template: legacy },
    { operation, name: 'fastmcp', server: await startPeer(site, 'fastmcp.ts', { TOOLS }), template: legacy },
    { operation, name: 'mcp-proxy', server: await startPeer(site, 'mcp-proxy.ts', { TOOLS }), template: modern },
  ];
  const rows = await measureAndStop(site, targets);
  const absent = 'not installed: apt-get install nginx';
  return nginx ? rows : [...rows, { operation, name: 'nginx as a proxy', absent }];
};

/** For a server that returns the same. */
async function firstResponse({ url }: Server, { method, path, headers, body, values }: Template): Promise<string> {
  const authorization = `Bearer ${values.key?.[0]}`;
  const response = await fetch(url + path, { method, headers: { ...headers, authorization }, ...(body && { body }) });
  return response.text();
}

const lists: Part = async (site) => {
  const operation = 'tools/list';
  const ours = await startOurs(site);
  const key = site.listed.keys;
  const template = toolsList({ key });
  const RESPONSE = await firstResponse(ours, template);
  return measureAndStop(site, [
    { operation, name: `${OURS}, 100 tools`, server: ours, template },
    { operation, name: `${OURS}, 10 tools`, server: ours, template: toolsList({ key: site.signed.keys }) },
    { operation, name: BARE_FASTIFY, server: await startPeer(site, 'bare-fastify.ts', { RESPONSE }), template },
    { operation, name: READY_MADE, server: await startPeer(site, 'ready-made.ts', { RESPONSE }), template },
    { operation, name: 'official SDK v2, 100 tools', server: await startSdk(site, 'v2'), template },
    {
      operation,
      name: 'official SDK v1, 100 tools',
      server: await startSdk(site, 'v1'),
      template: toolsList({ key }, { is_legacy: true }),
    },
  ]);
};

const exchanges: Part = async (site) => {
  const operation = 'session-token';
  const { exchanger } = site;
  const template = exchange(exchanger);
  const fresh = () => freshAssertions(exchanger);
  const environment = { PUBLIC_KEY: exchanger.signer.pem, TOOLGATE_DATA_DIR: join(site.folder, 'bare-exchange') };
  const bare = await startPeer(site, 'bare-exchange.ts', environment);
  return measureAndStop(site, [
    { operation, name: OURS, server: await startOurs(site), template, fresh },
    { operation, name: 'bare Node: jose.jwtVerify and one insert', server: bare, template, fresh },
  ]);
};

const reads: Part = async (site) => {
  const operation = 'GET /projects/{id}';
  const { id, keys: key } = site.signed;
  const ours = await startOurs(site);
  const template = readProject(id, { key });
  const bare = await startPeer(site, 'bare-fastify.ts', { RESPONSE: await firstResponse(ours, template) });
  return measureAndStop(site, [
    { operation, name: OURS, server: ours, template },
    { operation, name: BARE_FASTIFY, server: bare, template },
  ]);
};

const scale: Part = async (site) => {
  const operation = 'tools/call, scale';
  const { unsigned } = site;
  const few = await startOurs(site);
  const large = await startEmbeddedGateway(site, { from: site.seeded, to: 'large' });
  site.bench.progress(`${number(MANY_TOOLS)} tools, ${number(MANY_KEYS)} keys, ${number(MANY_PROJECTS)} projects`);
  const many = await multiply(large.data_dir, unsigned);
  const { key, tool } = names(unsigned);
  const target = (
    name: string,
    server: Server,
    values: { key: string[]; tool: string[] },
    warm_up?: number,
  ): Target => ({
    operation,
    name,
    server,
    template: toolsCall(values),
    readMisses: () => readCacheMisses(server),
    ...(warm_up === undefined ? {} : { warm_up }),
  });
  const { projects } = many;
  const stored = `${number(MANY_TOOLS)} tools, ${number(MANY_KEYS)} keys, ${number(MANY_PROJECTS)} projects`;
  return measureAndStop(site, [
    // Warmed up as much as the other server, which serves four targets: a colder one would make them look cheap.
    target(`${FEW} tools, ${FEW} keys, 1 project`, few, { key, tool }, 2 * MANY_TOOLS),
    target(`${stored}; ${FEW} tools and keys in use`, large, { key, tool }),
    target(`${number(MANY_TOOLS)} tools in use`, large, { key, tool: many.tools }, MANY_TOOLS),
    // As many as there are: each key is loaded once before it is measured.
    target(`${number(MANY_KEYS)} keys in use`, large, { key: many.keys, tool }, MANY_KEYS),
    target(
      `${number(MANY_PROJECTS)} projects in use`,
      large,
      { key: projects.keys, tool: projects.tools },
      4 * MANY_PROJECTS,
    ),
  ]);
};

type Variant = { name: string; server: Server; project: Project; is_read: boolean };

/** On the embedded PostgreSQL, and as replicas on one external PostgreSQL. */
async function startVariants(site: Site): Promise<Variant[]> {
  const { postgres, redis, seeded: from, signed: project } = site;
  const variants: Variant[] = [];
  for (const { workers, redis: used, is_read } of [
    { workers: 1, redis: null, is_read: true },
    { workers: 2, redis: null, is_read: false },
    ...(redis ? [{ workers: 1, redis, is_read: true }] : []),
  ]) {
    const to = `embedded-${workers}-${used !== null}`;
    const server = await startEmbeddedGateway(site, { from, to, workers, redis: used });
    variants.push({ name: `embedded PostgreSQL, ${describe(workers, used)}`, server, project, is_read });
  }
  if (!postgres) return variants;
  const first = await startExternalGateway(site, postgres, { workers: 1 });
  const external = await makeProject(first.url, { keys: FEW, tools: FEW, origin: site.customer.origin });
  const name = `PostgreSQL ${postgres.version}`;
  variants.push({ name: `${name}, ${describe(1, null)}`, server: first, project: external, is_read: false });
  for (const workers of redis ? [1, 2] : []) {
    const server = await startExternalGateway(site, postgres, { workers, redis });
    variants.push({ name: `${name}, ${describe(workers, redis)}`, server, project: external, is_read: true });
  }
  return variants;
}

const describe = (workers: number, redis: object | null) =>
  `${workers} worker${workers > 1 ? 's' : ''}${redis ? ', Redis' : ''}`;

const stores: Part = async (site) => {
  const variants = await startVariants(site);
  const operation = 'tools/call, stores';
  const reading = 'GET /projects/{id}, stores';
  const rows = await measureAndStop(site, [
    ...variants.map(({ project, ...each }) => ({ operation, ...each, template: toolsCall(names(project)) })),
    ...variants
      .filter(({ is_read }) => is_read)
      .map(({ project, ...each }) => {
        const template = readProject(project.id, { key: project.keys });
        return { operation: reading, ...each, template };
      }),
  ]);
  const missing = [
    ...(site.redis ? [] : [{ operation, name: 'Redis', absent: 'not installed: apt-get install redis-server' }]),
    ...(site.postgres
      ? []
      : [{ operation, name: 'external PostgreSQL', absent: 'not installed: apt-get install postgresql' }]),
  ];
  return [...rows, ...missing];
};

/** By the name on the command line. */
export const parts: Record<string, Part> = {
  'tools/call': calls,
  'tools/list': lists,
  'session-token': exchanges,
  read: reads,
  webhooks: measureFanOut,
  toolsets: measureToolsets,
  'mcp-servers': measureMcpServers,
  bodies: measureBodies,
  downloads: measureDownloads,
  scale,
  stores,
  poolers: measurePoolers,
};
