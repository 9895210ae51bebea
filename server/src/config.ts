// Every setting, read from the environment once. All problems are reported together, at start.

import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type AddressPorts, parseAllowList } from './outbound/address-guard.ts';
import { type MasterKey, parseMasterKeys } from './secrets/master-keys.ts';
import { findUnknownSettings, type SettingName } from './settings.ts';

export type Config = {
  host: string;
  port: number;
  /** The server's address for clients, without a trailing slash. */
  public_url: string;
  data_dir: string;
  /** An external PostgreSQL; without it the embedded one runs in the data folder. */
  database_url: string | null;
  root_key: string | null;
  /** The first one seals, all open. Empty only with the embedded store, which generates its own. */
  master_keys: MasterKey[];
  default_plan: 'free' | 'pro' | 'enterprise';
  egress_allow: AddressPorts;
  /** Proxies whose X-Forwarded-For is trusted. */
  trusted_proxies: string[];
  /** How many may be open at the same time. The limit per address does not apply to trusted proxies. */
  connections: { max: number; max_per_address: number };
  stop: {
    /** How long requests are still accepted after SIGTERM, while /readyz already returns 503. */
    drain_ms: number;
    /** How long the requests in progress may take after that. */
    timeout_ms: number;
  };
  /** After how many days rows are deleted. */
  retention: {
    event_days: number;
    delivery_days: number;
    call_log_days: number;
    audit_days: number;
    deleted_project_days: number;
  };
  log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** auto: pretty on a terminal, otherwise JSON. */
  log_format: 'auto' | 'json' | 'pretty';
};

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`the settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

type Environment = Record<string, string | undefined>;

export function readConfig(environment: Environment = process.env): Config {
  const problems = findUnknownSettings(environment);
  const read = reader(environment, problems);

  const host = read.text('HOST', '127.0.0.1');
  const port = read.port('PORT', 3000);
  const database_url = read.optional('DATABASE_URL');
  if (database_url && !/^postgres(ql)?:\/\//.test(database_url))
    problems.push('DATABASE_URL must start with postgres://');
  const root_key = read.optional('TOOLGATE_ROOT_KEY');
  if (root_key !== null && !/^[\x21-\x7e]{32,256}$/.test(root_key)) {
    problems.push('TOOLGATE_ROOT_KEY must be 32 to 256 visible ASCII characters');
  }
  const masterKeys = parseMasterKeys(read.text('TOOLGATE_MASTER_KEYS', ''));
  problems.push(...masterKeys.problems.map((problem) => `TOOLGATE_MASTER_KEYS: ${problem}`));
  if (database_url && masterKeys.keys.length === 0 && masterKeys.problems.length === 0) {
    problems.push('TOOLGATE_MASTER_KEYS is required with DATABASE_URL; make one: echo "k1:$(openssl rand -base64 32)"');
  }
  const allow = parseAllowList(read.text('TOOLGATE_EGRESS_ALLOW', ''));
  problems.push(
    ...allow.problems.map(
      (problem) => `TOOLGATE_EGRESS_ALLOW: ${problem} must be address:port, such as 127.0.0.1:8443`,
    ),
  );

  const config: Config = {
    host,
    port,
    public_url: read.url('TOOLGATE_PUBLIC_URL') ?? listenUrl(host, port),
    data_dir: resolve(read.text('TOOLGATE_DATA_DIR', 'data')),
    database_url,
    root_key,
    master_keys: masterKeys.keys,
    default_plan: read.oneOf('TOOLGATE_DEFAULT_PLAN', ['free', 'pro', 'enterprise']),
    egress_allow: allow.allowed,
    trusted_proxies: read.networks('TOOLGATE_TRUSTED_PROXIES'),
    connections: {
      max: read.integer('TOOLGATE_MAX_CONNECTIONS', 10_000, 1, 1_000_000),
      max_per_address: read.integer('TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS', 1_000, 1, 1_000_000),
    },
    stop: {
      // With an external database other replicas take over once the load balancer has seen /readyz.
      drain_ms: read.integer('TOOLGATE_DRAIN_MS', database_url ? 2_000 : 500, 0, 600_000),
      // Longer than the longest timeout of a tool.
      timeout_ms: read.integer('TOOLGATE_STOP_TIMEOUT_MS', 60_000, 0, 600_000),
    },
    retention: {
      // A delivery is tried for more than three days, and a webhook may fail for five.
      event_days: read.days('TOOLGATE_EVENT_DAYS', 30, 7),
      delivery_days: read.days('TOOLGATE_DELIVERY_DAYS', 30, 1),
      call_log_days: read.days('TOOLGATE_CALL_LOG_DAYS', 30, 1),
      audit_days: read.days('TOOLGATE_AUDIT_DAYS', 400, 1),
      deleted_project_days: read.days('TOOLGATE_DELETED_PROJECT_DAYS', 30, 7),
    },
    log_level: read.oneOf('TOOLGATE_LOG_LEVEL', ['info', 'debug', 'warn', 'error', 'silent']),
    log_format: read.oneOf('TOOLGATE_LOG_FORMAT', ['auto', 'json', 'pretty']),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function reader(environment: Environment, problems: string[]) {
  const optional = (name: SettingName) => environment[name]?.trim() || null;
  const text = (name: SettingName, fallback: string) => optional(name) ?? fallback;
  return {
    optional,
    text,
    networks(name: SettingName): string[] {
      const entries = text(name, '')
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean);
      const wrong = entries.filter((entry) => !isNetwork(entry));
      if (wrong.length > 0)
        problems.push(`${name} must be addresses or networks (10.0.0.0/8), not ${wrong.join(', ')}`);
      return entries;
    },
    port(name: SettingName, fallback: number): number {
      const value = optional(name);
      if (value === null) return fallback;
      if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65_535)
        problems.push(`${name} must be a port number, not ${value}`);
      return Number(value);
    },
    days(name: SettingName, fallback: number, min: number): number {
      const value = optional(name);
      if (value === null) return fallback;
      if (!/^\d{1,5}$/.test(value) || Number(value) < min)
        problems.push(`${name} must be a number of days, ${min} or more, not ${value}`);
      return Number(value);
    },
    integer(name: SettingName, fallback: number, min: number, max: number): number {
      const value = optional(name);
      if (value === null) return fallback;
      if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
        problems.push(`${name} must be a whole number from ${min} to ${max}, not ${value}`);
      return Number(value);
    },
    oneOf<T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T {
      const value = optional(name) ?? choices[0];
      if (!choices.includes(value as T)) problems.push(`${name} must be one of ${choices.join(', ')}, not ${value}`);
      return value as T;
    },
    url(name: SettingName): string | null {
      const value = optional(name);
      if (value === null) return null;
      const parsed = URL.canParse(value) ? new URL(value) : null;
      if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.origin !== value.replace(/\/$/, '')) {
        problems.push(`${name} must be an origin such as https://tools.example.com, not ${value}`);
      }
      return value.replace(/\/$/, '');
    },
  };
}

/** The listen address as a URL; localhost for a host that means every address. */
function listenUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  return URL.parse(url)?.origin ?? url;
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
