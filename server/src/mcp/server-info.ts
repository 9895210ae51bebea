// Who this server says it is: the project's own name and instructions (settings), and our version.

import type { Project } from '../access/caller.ts';
import { version } from '../version.ts';
import { metaKeys } from './protocol.ts';

export type ServerInfo = {
  serverInfo: { name: string; version: string };
  instructions: string | undefined;
  capabilities: { tools: Record<string, never> };
  /** The same as text for the `_meta` of every 2026-07-28 result: `"io.modelcontextprotocol/serverInfo":{…}`. */
  meta_entry: string;
};

/** A project object lives as long as it is remembered unchanged. */
const known = new WeakMap<Project, ServerInfo>();

export function serverInfoOf(project: Project): ServerInfo {
  let info = known.get(project);
  if (!info) {
    info = describe(project);
    known.set(project, info);
  }
  return info;
}

function describe({ name, settings }: Project): ServerInfo {
  const serverInfo = { name: settings.mcp_server_name ?? name, version };
  return {
    serverInfo,
    instructions: settings.mcp_instructions ?? undefined,
    capabilities: { tools: {} },
    meta_entry: `"${metaKeys.server_info}":${JSON.stringify(serverInfo)}`,
  };
}
