// The server's name and instructions, from the project's settings, and the version of toolgate.

import type { Project } from '../access/caller.ts';
import { version } from '../installation.ts';
import { metaKeys } from './protocol.ts';

export type ServerInfo = {
  serverInfo: { name: string; version: string };
  instructions: string | undefined;
  /** The JSON text for the `_meta` of every 2026-07-28 result: `"io.modelcontextprotocol/serverInfo":{…}`. */
  meta_entry: string;
};

/** By project object, which is the same until its cache entry is invalidated. */
const cached = new WeakMap<Project, ServerInfo>();

export function serverInfoOf(project: Project): ServerInfo {
  let info = cached.get(project);
  if (!info) {
    info = describe(project);
    cached.set(project, info);
  }
  return info;
}

function describe({ name, settings }: Project): ServerInfo {
  const serverInfo = { name: settings.mcp_server_name ?? name, version };
  return {
    serverInfo,
    instructions: settings.mcp_instructions ?? undefined,
    meta_entry: `"${metaKeys.server_info}":${JSON.stringify(serverInfo)}`,
  };
}
