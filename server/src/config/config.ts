// The settings of this process, read once from the environment. config/table.ts has the name, default and rule of each; here
// are the rules that concern several, and the names by which the code reads them.

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { EgressProxy } from '../outbound/egress-proxy.ts';
import { describeListening } from './listening.ts';
import { runMasterKeyCommand } from './master-key-command.ts';
import { type Environment, readSetting, readSettings } from './read.ts';
import type { SettingValues } from './table.ts';

export type Config = ReturnType<typeof toConfig>;

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`the settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

export function readConfig(environment: Environment = process.env): Config {
  const { values, problems, isSet } = readSettings(environment);
  const command = values.TOOLGATE_MASTER_KEY_COMMAND;
  if (command !== null && isSet('TOOLGATE_MASTER_KEYS'))
    problems.push('TOOLGATE_MASTER_KEYS and TOOLGATE_MASTER_KEY_COMMAND are both set: unset one of them');
  if (values.DATABASE_URL !== null && command === null && !isSet('TOOLGATE_MASTER_KEYS')) {
    problems.push(
      'TOOLGATE_MASTER_KEYS is required with DATABASE_URL; create one: echo "k1:$(openssl rand -base64 32)"',
    );
  }
  if (values.DATABASE_DIRECT_URL !== null && values.DATABASE_URL === null)
    problems.push('DATABASE_DIRECT_URL requires DATABASE_URL: set both to the same database');
  if ((values.TOOLGATE_OWNER_EMAIL === null) !== (values.TOOLGATE_OWNER_PASSWORD_FILE === null))
    problems.push('TOOLGATE_OWNER_EMAIL and TOOLGATE_OWNER_PASSWORD_FILE must be set together');
  if (!isSet('TOOLGATE_EGRESS_PROXY')) {
    if (values.TOOLGATE_EGRESS_PROXY_DNS === 'proxy')
      problems.push('TOOLGATE_EGRESS_PROXY_DNS requires TOOLGATE_EGRESS_PROXY');
    if (isSet('TOOLGATE_EGRESS_NO_PROXY')) problems.push('TOOLGATE_EGRESS_NO_PROXY requires TOOLGATE_EGRESS_PROXY');
  }
  const unset = s3Names.filter((name) => values[name] === null);
  if (unset.length > 0 && unset.length < s3Names.length) problems.push(`${unset.join(' and ')} must be set too`);
  if (problems.length === 0) values.TOOLGATE_MASTER_KEYS = printedKeys(values, problems) ?? values.TOOLGATE_MASTER_KEYS;
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(values);
}

/** After everything else was found right: it takes time, and asks a vault. Null: no command prints them. */
function printedKeys(values: SettingValues, problems: string[]): Config['master_keys'] | null {
  const command = values.TOOLGATE_MASTER_KEY_COMMAND;
  const report = (problem: string) => problems.push(`TOOLGATE_MASTER_KEY_COMMAND ${problem}`);
  return command === null ? null : runMasterKeyCommand(command, report);
}

/** TOOLGATE_EGRESS_ALLOW, read again: its file may have changed since the start. Null if it is not in a file. */
export function readEgressAllowFile(environment: Environment = process.env): Config['egress_allow'] | null {
  if (!environment.TOOLGATE_EGRESS_ALLOW_FILE?.trim()) return null;
  const { value, problems } = readSetting(environment, 'TOOLGATE_EGRESS_ALLOW');
  if (problems.length > 0) throw new ConfigError(problems);
  return value;
}

function toConfig(values: SettingValues) {
  const { HOST: host, PORT: port, DATABASE_URL: database_url } = values;
  const listening = describeListening(host, port);
  return {
    host,
    port,
    ...listening,
    /** Where clients reach it. Never taken from the Host header, which whoever sends the request chooses. */
    public_url: values.TOOLGATE_PUBLIC_URL ?? listening.listen_url,
    data_dir: resolve(values.TOOLGATE_DATA_DIR),
    database_url,
    /** For notifications, migrations and locks of a session; the same unless DATABASE_URL is a pooler. */
    direct_url: values.DATABASE_DIRECT_URL ?? database_url,
    redis: { url: values.REDIS_URL, timeout_ms: values.TOOLGATE_REDIS_TIMEOUT_MS },
    root_key: values.TOOLGATE_ROOT_KEY,
    metrics_token: values.TOOLGATE_METRICS_TOKEN,
    otlp_endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    master_keys: values.TOOLGATE_MASTER_KEYS,
    max_projects: values.TOOLGATE_MAX_PROJECTS,
    /** The first owner; null: it is created with the link that is printed. */
    owner:
      values.TOOLGATE_OWNER_EMAIL !== null && values.TOOLGATE_OWNER_PASSWORD_FILE !== null
        ? { email: values.TOOLGATE_OWNER_EMAIL, password_file: values.TOOLGATE_OWNER_PASSWORD_FILE }
        : null,
    default_plan: values.TOOLGATE_DEFAULT_PLAN,
    egress_allow: values.TOOLGATE_EGRESS_ALLOW,
    egress_proxy: egressProxy(values),
    trusted_proxies: values.TOOLGATE_TRUSTED_PROXIES,
    workers: values.TOOLGATE_WORKERS ?? (database_url ? availableParallelism() : 1),
    connections: {
      max: values.TOOLGATE_MAX_CONNECTIONS,
      max_per_address: values.TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS,
    },
    stop: {
      // With an external database other replicas take over once the load balancer has seen /readyz.
      drain_ms: values.TOOLGATE_DRAIN_MS ?? (database_url ? 2_000 : 500),
      timeout_ms: values.TOOLGATE_STOP_TIMEOUT_MS,
    },
    retention: {
      event_days: values.TOOLGATE_EVENT_DAYS,
      delivery_days: values.TOOLGATE_DELIVERY_DAYS,
      call_log_days: values.TOOLGATE_CALL_LOG_DAYS,
      audit_days: values.TOOLGATE_AUDIT_DAYS,
      deleted_project_days: values.TOOLGATE_DELETED_PROJECT_DAYS,
    },
    /** Whether OAuth clients may register themselves (RFC 7591). */
    dynamic_registration: values.TOOLGATE_DYNAMIC_REGISTRATION === 'on',
    files_s3: filesStore(values),
    /** From which files are downloaded that a call refers to. */
    file_hosts: values.TOOLGATE_FILE_HOSTS,
    openai_challenge: values.TOOLGATE_OPENAI_APPS_CHALLENGE,
    dashboard: values.TOOLGATE_DASHBOARD === 'on',
    log_level: values.TOOLGATE_LOG_LEVEL,
    log_format: values.TOOLGATE_LOG_FORMAT,
  };
}

/** Through which connections to customers' hosts are made; null: directly. */
function egressProxy(values: SettingValues): EgressProxy | null {
  const { TOOLGATE_EGRESS_PROXY: url, TOOLGATE_EGRESS_PROXY_DNS: dns, TOOLGATE_EGRESS_NO_PROXY: direct } = values;
  return url === null ? null : { ...url, resolves_names: dns === 'proxy', direct };
}

const s3Names = [
  'TOOLGATE_FILES_S3_ENDPOINT',
  'TOOLGATE_FILES_S3_BUCKET',
  'TOOLGATE_FILES_S3_REGION',
  'TOOLGATE_FILES_S3_ACCESS_KEY_ID',
  'TOOLGATE_FILES_S3_SECRET_ACCESS_KEY',
] as const;

/** Where the content of files is stored; null: in the database. */
function filesStore(values: SettingValues) {
  const [endpoint, bucket, region, access_key_id, secret_access_key] = s3Names.map((name) => values[name]);
  if (!endpoint || !bucket || !region || !access_key_id || !secret_access_key) return null;
  return { endpoint, bucket, region, access_key_id, secret_access_key };
}

/** The settings of one of several workers: it gets its share of the connections. */
export function workerConfig(config: Config): Config {
  const share = (count: number) => Math.ceil(count / config.workers);
  const { max, max_per_address } = config.connections;
  return { ...config, connections: { max: share(max), max_per_address: share(max_per_address) } };
}
