// A URL of PostgreSQL may name several hosts, such as a primary and its standbys: postgres://a:5432,b:5432/name. One of them takes
// writes, and is used until another one does.

import { splitHosts } from '../engines/split-hosts.ts';
import type { Connection } from './connection.ts';

export type Hosts = {
  readonly all: readonly Connection[];
  /** That new connections of pools lead to. */
  current: Connection;
};

export function connectionOf(url: string): Connection {
  const all = splitHosts(url).map((connectionString): Connection => ({ connectionString }));
  const [current] = all as [Connection];
  return all.length === 1 ? current : { ...current, hosts: { all, current } };
}
