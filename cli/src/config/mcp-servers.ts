// MCP servers in a configuration file: with the tools that were approved and the hashes of their definitions, like a lock file. What a
// server offers with another hash is refused. What the project set of these tools is beside the hash. Where members sign in is in the file
// too, as it is pinned.

import { isDeepStrictEqual } from 'node:util';
import { setByServer } from '@toolgate/contract/custom-tools/rules.ts';
import type { McpServer, Toolgate } from '../../../sdk/src/index.ts';
import { Failure } from '../failure.ts';
import { operations } from '../operation.ts';
import { visibleName } from '../visible.ts';
import { comparable, compareText, type Fields, isObject } from './comparable.ts';

/** One tool of the field `approved`, with what the project set of it. */
type Approved = Fields & { upstream_name: string; name: string; hash: string };
type Server = { id: string; slug: string };

const pinned = ['upstream_name', 'name', 'hash'];
/** The fields of a tool that its server does not decide. */
const setHere = Object.keys(operations.createCustomTool.fields).filter(
  (field) => !['id', 'name', ...setByServer].includes(field),
);

export function mcpServerMethods(toolgate: Toolgate) {
  const { mcpServers } = toolgate;
  return {
    async *list(): AsyncIterable<Fields> {
      const found = [];
      for await (const server of mcpServers.list()) found.push(server);
      const tools = await readTools(toolgate, found.length > 0);
      for (const server of found) {
        const approved = await readApproved(toolgate, server.id, tools);
        yield { ...server, approved: [...approved.keys()], pinned_issuer: wholePin(server.pinned_issuer) };
      }
    },
    async create({ approved = [], pinned_issuer, ...fields }: Fields): Promise<Fields> {
      const server = await mcpServers.create(fields as never);
      if (pinned_issuer !== undefined) await mcpServers.approveIssuer(server.id, pinned_issuer as never);
      await applyApproved(toolgate, server, approved as Approved[]);
      return server;
    },
    async update(id: string, { approved, pinned_issuer, ...fields }: Fields): Promise<Fields> {
      const changesFields = Object.keys(fields).length > 0;
      const server = changesFields ? await mcpServers.update(id, fields as never) : await mcpServers.get(id);
      if (pinned_issuer !== undefined) await mcpServers.approveIssuer(id, pinned_issuer as never);
      const changesTools = approved !== undefined && (await applyApproved(toolgate, server, approved as Approved[]));
      const isOther = changesTools || pinned_issuer !== undefined;
      // Its tools and where its members sign in do not change the server itself, but they are a change.
      return isOther ? { ...server, updated_at: null } : server;
    },
    delete: (id: string) => mcpServers.delete(id),
  };
}

/** Undefined while it is not known whole: then a file says nothing about it. */
const wholePin = (pin: McpServer['pinned_issuer']) => (pin?.token_endpoint ? pin : undefined);

/** Throws a Failure if `approved` is not a list of tools, or `pinned_issuer` is not what an admin can approve. */
export function checkServer(entry: Fields, place: string): void {
  checkApproved(entry, place);
  const { pinned_issuer: pin, auth_config } = entry;
  if (pin === undefined) return;
  if (!isObject(pin) || pinFields.some((field) => typeof pin[field] !== 'string'))
    throw new Failure(`${place}: pinned_issuer must have ${pinFields.join(', ')}.`);
  const { issuer } = isObject(auth_config) ? auth_config : {};
  if (issuer !== undefined && withoutSlash(issuer) !== withoutSlash(pin.issuer))
    throw new Failure(`${place}: pinned_issuer must have the issuer of auth_config.`);
}

/** The API pins an origin without it. */
const withoutSlash = (issuer: unknown) => String(issuer).replace(/\/$/, '');

const pinFields = ['issuer', 'authorization_endpoint', 'token_endpoint'];

function checkApproved({ approved = [] }: Fields, place: string): void {
  if (!Array.isArray(approved)) throw new Failure(`${place}: approved must be a list.`);
  for (const tool of approved) {
    if (!isObject(tool) || pinned.some((field) => typeof tool[field] !== 'string'))
      throw new Failure(`${place}: each tool in approved must have ${pinned.join(', ')}.`);
    const wrong = Object.keys(tool).find((field) => ![...pinned, ...setHere].includes(field));
    if (wrong !== undefined)
      throw new Failure(
        `${place}: ${visibleName(wrong)} cannot be set for ${visibleName(String(tool.upstream_name))}.`,
      );
  }
}

/** What the file does not say about the tools of a server stays as it is. */
export function completeApproved(wanted: Fields, current: Fields): Fields {
  if (wanted.approved === undefined) return wanted;
  const [given, existing] = [wanted.approved as Approved[], current.approved as Approved[]];
  const known = given.map((tool) => counterpart(tool, existing, given));
  const rest = existing.filter((tool) => !known.includes(tool));
  const completed = given.map((tool, at) => ({ ...known[at], ...comparable(tool) }) as Approved);
  return { ...wanted, approved: [...completed, ...rest].toSorted(byNames) };
}

/** The tool of that name; or the only one, also in the file, of its name at the server: it is renamed. */
function counterpart(tool: Approved, existing: Approved[], wanted: Approved[]): Approved | undefined {
  const isOf = ({ upstream_name }: Approved) => upstream_name === tool.upstream_name;
  const [first, ...copies] = existing.filter(isOf);
  const isAlone = copies.length === 0 && wanted.filter(isOf).length === 1;
  return existing.find((each) => isOf(each) && each.name === tool.name) ?? (isAlone ? first : undefined);
}

const byNames = (a: Approved, b: Approved) =>
  compareText(a.upstream_name, b.upstream_name) || compareText(a.name, b.name);

/** Returns whether anything changed. */
async function applyApproved(toolgate: Toolgate, server: Server, wanted: Approved[]): Promise<boolean> {
  const approval = await approve(toolgate, server, wanted);
  const existing = await readApproved(toolgate, server.id, await readTools(toolgate, wanted.length > 0));
  const disabled = new Map([...existing].filter(([tool, id]) => isToEnable(approval, tool, id)));
  let isOther = approval !== null;
  for (const tool of wanted) {
    const known = counterpart(tool, [...existing.keys()], wanted);
    const current = known ?? (await copy(toolgate, tool, existing));
    const { upstream_name: _, hash: __, ...fields } = tool;
    const enabled = disabled.delete(current) ? { is_enabled: true } : {};
    const changes = Object.entries(comparable({ ...enabled, ...fields })).filter(
      ([field, value]) => !isDeepStrictEqual(value, current[field]),
    );
    const id = existing.get(current);
    if (id !== undefined && changes.length > 0) await toolgate.customTools.update(id, Object.fromEntries(changes));
    isOther ||= known === undefined || changes.length > 0;
  }
  // Copies that the file does not name.
  for (const id of disabled.values()) await toolgate.customTools.update(id, { is_enabled: true });
  return isOther;
}

/** What was approved, and disabled with that, is enabled together with what the file sets of it. What was disabled before stays so. */
const isToEnable = (approval: Approval | null, { upstream_name }: Approved, id: string) =>
  approval?.upstream_names.has(upstream_name) === true && !approval.disabled_before.has(id);

/** A second tool of the project for the same tool of the server. */
async function copy({ customTools }: Toolgate, tool: Approved, existing: Map<Approved, string>): Promise<Approved> {
  const { upstream_name, name, hash } = tool;
  const [, id = ''] = [...existing].find(([each]) => each.upstream_name === upstream_name) ?? [];
  const made = await customTools.duplicate(id, { name });
  const entry = { upstream_name, name, hash, ...ownFields({ ...made }) };
  existing.set(entry, made.id);
  return entry;
}

type Approval = { upstream_names: ReadonlySet<string>; disabled_before: ReadonlySet<string> };

/**
 * All that the file names and that is not approved with that hash, or none: null. They are disabled then: nobody may call a tool before
 * it has what the file says about it, such as who confirms it.
 */
async function approve(
  { mcpServers, customTools }: Toolgate,
  { id, slug }: Server,
  wanted: Approved[],
): Promise<Approval | null> {
  const known = new Map<string, string>();
  for await (const { upstream_name, hash } of mcpServers.tools.list(id)) known.set(upstream_name, hash);
  const missing = wanted.filter(({ upstream_name, hash }) => known.get(upstream_name) !== hash);
  if (missing.length === 0) return null;
  await mcpServers.sync(id);
  const offered = new Map<string, string>();
  for await (const { upstream_name, hash } of mcpServers.pending.list(id)) offered.set(upstream_name, hash);
  const other = missing.find(({ upstream_name, hash }) => offered.get(upstream_name) !== hash);
  if (other)
    throw new Failure(
      `mcp_servers ${visibleName(slug)}: the definition of ${visibleName(other.upstream_name)} differs from the one that the file approves. None of this server's tools were approved.`,
    );
  const upstream_names = new Set(missing.map(({ upstream_name }) => upstream_name));
  const disabled_before = new Set<string>();
  for await (const tool of customTools.list({ is_enabled: false })) disabled_before.add(tool.id);
  await mcpServers.approve(id, {
    tool_names: [...upstream_names],
    is_enabled: false,
    // Those that are already tools keep their names until they are compared with the file.
    rename: Object.fromEntries(
      missing
        .toReversed()
        .flatMap(({ upstream_name, name }) => (known.has(upstream_name) ? [] : [[upstream_name, name]])),
    ),
    hashes: Object.fromEntries(missing.map(({ upstream_name, hash }) => [upstream_name, hash])),
  });
  return { upstream_names, disabled_before };
}

/** The tools of the project by their ids. None, if they are not needed. */
async function readTools({ customTools }: Toolgate, isNeeded: boolean): Promise<Map<string, Fields>> {
  const tools = new Map<string, Fields>();
  if (isNeeded) for await (const tool of customTools.list()) tools.set(tool.id, { ...tool });
  return tools;
}

const ownFields = (tool: Fields = {}) => comparable(Object.fromEntries(setHere.map((field) => [field, tool[field]])));

/** With the ids of the tools. One tool of the server may be several of the project: copies are tools like others. */
async function readApproved({ mcpServers }: Toolgate, id: string, tools: Map<string, Fields>) {
  const found: [Approved, string][] = [];
  for await (const { upstream_name, tool_id, name, hash } of mcpServers.tools.list(id))
    found.push([{ upstream_name, name, hash, ...ownFields(tools.get(tool_id)) }, tool_id]);
  return new Map(found.toSorted(([a], [b]) => byNames(a, b)));
}
