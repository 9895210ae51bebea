// The settings that every statement runs with, whatever the server, the role or the database is set to. They are set by a statement,
// not when a connection starts: poolers refuse parameters that they do not know. A connection of its own keeps them; behind a
// pooler in transaction mode, where each transaction may get another connection of PostgreSQL, each transaction sets them.

import type pg from 'pg';
import { SERVER_STATE, type ServerState } from './server-state.ts';

/**
 * The time zone makes `+00` the only offset of a time. The others are what PostgreSQL does without a setting: results and inputs
 * depend on them too.
 */
const everywhere = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
};

/**
 * After this time PostgreSQL ends a transaction that does nothing. Its process may be gone without closing the connection
 * (power failure, partition, half-open connection), and its locks would be held until TCP times out, which takes hours.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

/** With the keepalives PostgreSQL ends the sessions, and with them the session locks, of a machine that is gone. */
const ofConnection = {
  default_transaction_isolation: 'read committed',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
};

/** How long PostgreSQL lets a statement wait for a lock or run, in milliseconds. */
export type StatementTimeouts = { lock_timeout: number; statement_timeout: number };

export type SettingsOptions = {
  timeouts?: StatementTimeouts | undefined;
  /** For rows that a crash of PostgreSQL may lose: a commit does not wait until it is on disk. */
  is_commit_asynchronous?: boolean | undefined;
};

type Settings = Record<string, string>;

function settingsOf({ timeouts, is_commit_asynchronous = false }: SettingsOptions): Settings {
  return {
    ...everywhere,
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    lock_timeout: String(timeouts?.lock_timeout ?? 0),
    statement_timeout: String(timeouts?.statement_timeout ?? 0),
    ...(is_commit_asynchronous ? { synchronous_commit: 'off' } : {}),
  };
}

const setting = (settings: Settings, is_local: boolean) =>
  Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', ${is_local})`)
    .join(', ');

/** Sets them for the session of a new connection. Returns where that leads to. */
export async function setForSession(client: pg.ClientBase, options: SettingsOptions = {}): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(
    `select ${SERVER_STATE}, ${setting({ ...settingsOf(options), ...ofConnection }, false)}`,
  );
  return rows[0] as ServerState;
}

/**
 * For a new connection to a pooler in transaction mode: what statements outside of a transaction depend on. Poolers follow these
 * two, since every driver of Java sets them, and set them on each connection that they give to this client.
 */
export async function setForPooler(client: pg.ClientBase): Promise<void> {
  const wrong = Object.entries({ TimeZone: everywhere.TimeZone, DateStyle: everywhere.DateStyle });
  for (const [name, value] of wrong)
    await client.query(
      `select set_config('${name}', '${value}', false) where current_setting('${name}') <> '${value}'`,
    );
}

/** The end of the text that begins a transaction: sets them for this transaction. */
export const settingForTransaction = (options: SettingsOptions): string =>
  `; select ${setting(settingsOf(options), true)}`;
