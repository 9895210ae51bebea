// The table of all settings: name, default, description and parser. config.ts reads its values from here, --help prints it,
// `npm run docs` makes docs/reference/settings.md of it, and a mistyped name is found with it. A new setting is a row here and a line in config.ts.

import { plans } from '@toolgate/contract/projects/plans.ts';
import {
  allowList,
  anyText,
  baseUrl,
  command,
  databaseUrl,
  days,
  directHosts,
  emailAddress,
  hostNames,
  integer,
  masterKeys,
  networks,
  oneOf,
  origin,
  type Parse,
  port,
  proxyUrl,
  redisUrl,
  secretText,
} from './parse.ts';

type Setting = {
  /** As the environment would state it. null: it has no default, or config.ts computes it. */
  fallback: string | null;
  /** What the documentation states as the default, if it is not `fallback`. */
  default_text?: string;
  /** Markdown, in one line. --help prints it without the backticks. */
  description: string;
  parse: Parse<unknown>;
};

export const settings = {
  HOST: { fallback: '127.0.0.1', description: 'The IP address to listen on', parse: anyText },
  PORT: { fallback: '3000', description: 'The port to listen on', parse: port },
  TOOLGATE_PUBLIC_URL: {
    fallback: null,
    default_text: 'the URL that is printed at startup, such as `http://127.0.0.1:3000`',
    description: 'The origin that clients use, such as `https://tools.example.com`',
    parse: origin,
  },
  TOOLGATE_DATA_DIR: {
    fallback: 'data',
    description: 'The folder for the embedded PostgreSQL, `root.key` and `master.key`',
    parse: anyText,
  },
  DATABASE_URL: {
    fallback: null,
    description:
      'A PostgreSQL, version 14 or newer, to use instead of the embedded one: `postgres://…`. It can name several hosts (`a:5432,b:5432`): the one that takes writes is used. See [Deploy](../guides/deploy.md#failover-of-postgresql)',
    parse: databaseUrl,
  },
  DATABASE_DIRECT_URL: {
    fallback: null,
    default_text: '`DATABASE_URL`',
    description:
      'The same database without a pooler in transaction mode, for notifications, migrations and locks. Required if `DATABASE_URL` points to such a pooler, such as PgBouncer with `pool_mode = transaction`. See [Deploy](../guides/deploy.md#behind-a-connection-pooler)',
    parse: databaseUrl,
  },
  REDIS_URL: {
    fallback: null,
    description:
      'A Redis 7 or Valkey that counts the limits for all replicas: `redis://…` or `rediss://…`, or `redis-sentinel://host:26379,host:26379/name` to find the master through Sentinels. Without it, PostgreSQL counts them. See [Deploy](../guides/deploy.md#redis-with-sentinel)',
    parse: redisUrl,
  },
  TOOLGATE_REDIS_TIMEOUT_MS: {
    fallback: '40',
    description: 'How long a request waits for Redis before this process counts the limits alone',
    parse: integer(5, 10_000),
  },
  TOOLGATE_MASTER_KEYS: {
    fallback: '',
    default_text: 'created in the data folder',
    description:
      '`id:base64` of 32 bytes, separated by commas. The first key encrypts, all of them decrypt. Required with `DATABASE_URL`, unless a command prints the keys',
    parse: masterKeys,
  },
  TOOLGATE_MASTER_KEY_COMMAND: {
    fallback: null,
    description:
      'A program that prints the keys in the same format, to use instead of `TOOLGATE_MASTER_KEYS`: a JSON list of the program and its arguments. It runs at startup, without a shell, for at most 10 seconds',
    parse: command,
  },
  TOOLGATE_ROOT_KEY: {
    fallback: null,
    default_text: 'created in the data folder',
    description: "The operator's key, 32 to 256 visible ASCII characters",
    parse: secretText(/^[\x21-\x7e]{32,256}$/, 'be 32 to 256 visible ASCII characters'),
  },
  TOOLGATE_METRICS_TOKEN: {
    fallback: null,
    description:
      'A token that can read `/metrics`, in addition to the root key: 16 to 256 visible ASCII characters. See [operations](../operations.md)',
    parse: secretText(/^[\x21-\x7e]{16,256}$/, 'be 16 to 256 visible ASCII characters'),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: null,
    description: 'An OpenTelemetry collector to export spans to, over HTTP, such as `http://localhost:4318`',
    parse: baseUrl,
  },
  TOOLGATE_DEFAULT_PLAN: {
    fallback: 'free',
    description:
      "The plan of new projects: `free`, `pro` or `enterprise`. Projects created by owners of the operator's organization start on `enterprise`",
    parse: oneOf(...plans),
  },
  TOOLGATE_MAX_PROJECTS: {
    fallback: '100',
    description: 'How many projects the people in an organization can create',
    parse: integer(1, 1_000_000),
  },
  TOOLGATE_OWNER_EMAIL: {
    fallback: null,
    description: 'The email address of the first owner, who is created at startup if there is no owner',
    parse: emailAddress,
  },
  TOOLGATE_OWNER_PASSWORD_FILE: {
    fallback: null,
    description: "A file with that owner's password. Set both settings or neither",
    parse: anyText,
  },
  TOOLGATE_EGRESS_ALLOW: {
    fallback: '',
    description:
      'Additional destinations that tools and webhooks can reach besides public HTTPS hosts, separated by commas: IP addresses, ranges, host names and `*.suffix`, each with an optional port, and `http://host:port` for plain HTTP. See [Network](../guides/network.md#allow-an-internal-api). With `TOOLGATE_EGRESS_ALLOW_FILE`, it is read again on SIGHUP',
    parse: allowList,
  },
  TOOLGATE_EGRESS_PROXY: {
    fallback: null,
    description:
      'A proxy for every connection to the hosts of tools, webhooks and other integrations: `http://proxy.internal:3128` or `https://…`, with `user:password@` if it requires credentials. It must support CONNECT. See [Network](../guides/network.md#use-an-egress-proxy)',
    parse: proxyUrl,
  },
  TOOLGATE_EGRESS_PROXY_DNS: {
    fallback: 'local',
    description:
      'Who resolves the host names of those connections: `local`, and the proxy gets an IP address that toolgate has checked; or `proxy`, and it gets the name and decides which addresses are allowed',
    parse: oneOf('local', 'proxy'),
  },
  TOOLGATE_EGRESS_NO_PROXY: {
    fallback: '',
    description:
      'Hosts that are reached without the proxy, separated by commas: host names, `*.suffix`, IP addresses and ranges such as `10.0.0.0/8`',
    parse: directHosts,
  },
  TOOLGATE_FILES_S3_ENDPOINT: {
    fallback: null,
    description:
      'An S3-compatible store for the content of files, encrypted, instead of the database: `https://…`. A private address must be in `TOOLGATE_EGRESS_ALLOW`. Set all five `TOOLGATE_FILES_S3_…` settings or none. See [Deploy](../guides/deploy.md#store-files-in-s3)',
    parse: baseUrl,
  },
  TOOLGATE_FILES_S3_BUCKET: {
    fallback: null,
    description: 'The bucket of that store. Only objects below `toolgate-files/` are used',
    parse: anyText,
  },
  TOOLGATE_FILES_S3_REGION: {
    fallback: null,
    description: 'The region of the bucket, such as `eu-central-1`',
    parse: anyText,
  },
  TOOLGATE_FILES_S3_ACCESS_KEY_ID: {
    fallback: null,
    description: 'The ID of an access key that can put, get and delete objects in the bucket',
    parse: anyText,
  },
  TOOLGATE_FILES_S3_SECRET_ACCESS_KEY: {
    fallback: null,
    description: 'The secret of that access key',
    parse: secretText(/^[\x21-\x7e]{8,256}$/, 'be 8 to 256 visible ASCII characters'),
  },
  TOOLGATE_FILE_HOSTS: {
    fallback: '*.oaiusercontent.com',
    description:
      'The hosts from which tools can get files that a chat application passes as a `download_url`: host names and `*.suffix`, separated by commas. See [Files in tool calls](../guides/files-in-tool-calls.md)',
    parse: hostNames,
  },
  TOOLGATE_TRUSTED_PROXIES: {
    fallback: '',
    description: 'IP addresses or networks whose `X-Forwarded-For` is trusted',
    parse: networks,
  },
  TOOLGATE_WORKERS: {
    fallback: null,
    default_text: 'the number of cores; embedded `1`',
    description: 'How many processes share the port',
    parse: integer(1, 256),
  },
  TOOLGATE_MAX_CONNECTIONS: {
    fallback: '10000',
    description: 'The maximum number of open connections',
    parse: integer(1, 1_000_000),
  },
  TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: {
    fallback: '1000',
    description:
      'The maximum number of open connections from one IP address (IPv6: one /64). A trusted proxy counts only toward the total',
    parse: integer(1, 1_000_000),
  },
  TOOLGATE_DRAIN_MS: {
    fallback: null,
    default_text: '`2000`; embedded `500`',
    description: 'How long requests are still accepted after SIGTERM, while `/readyz` returns 503. After Ctrl-C: 0',
    parse: integer(0, 600_000),
  },
  TOOLGATE_STOP_TIMEOUT_MS: {
    // Longer than the longest timeout of a tool.
    fallback: '60000',
    description: 'How long requests in progress can take after that. After Ctrl-C: at most 10 s',
    parse: integer(0, 600_000),
  },
  // At least 7: a delivery is tried for more than three days, and a webhook may fail for five.
  TOOLGATE_EVENT_DAYS: { fallback: '30', description: 'How long events are kept', parse: days(7) },
  TOOLGATE_DELIVERY_DAYS: {
    fallback: '30',
    description:
      'How long the delivery log is kept. Events older than this or `TOOLGATE_EVENT_DAYS` cannot be recovered',
    parse: days(1),
  },
  TOOLGATE_CALL_LOG_DAYS: { fallback: '30', description: 'How long the tool call log is kept', parse: days(1) },
  TOOLGATE_AUDIT_DAYS: { fallback: '400', description: 'How long the audit log is kept', parse: days(1) },
  TOOLGATE_DELETED_PROJECT_DAYS: {
    fallback: '30',
    description: "How long a deleted project's data is kept",
    parse: days(7),
  },
  TOOLGATE_DYNAMIC_REGISTRATION: {
    fallback: 'off',
    description: '`on`: OAuth clients can register themselves (RFC 7591)',
    parse: oneOf('off', 'on'),
  },
  TOOLGATE_OPENAI_APPS_CHALLENGE: {
    fallback: null,
    description:
      'The token that OpenAI shows when you submit an app to ChatGPT, served at `/.well-known/openai-apps-challenge`. At most 512 visible ASCII characters',
    parse: secretText(/^[\x21-\x7e]{1,512}$/, 'be 1 to 512 visible ASCII characters'),
  },
  TOOLGATE_DASHBOARD: {
    fallback: 'on',
    description: '`off`: no dashboard, and it is not built. `/` then leads to the documentation',
    parse: oneOf('on', 'off'),
  },
  TOOLGATE_LOG_LEVEL: {
    fallback: 'info',
    description: '`debug`, `info`, `warn`, `error` or `silent`',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  TOOLGATE_LOG_FORMAT: {
    fallback: 'auto',
    description: '`json` lines, or `pretty` lines for people. `auto`: pretty on a terminal, otherwise JSON',
    parse: oneOf('auto', 'json', 'pretty'),
  },
} as const satisfies Record<string, Setting>;

/** Read by Node itself. */
export const nodeVariables = {
  NO_COLOR: 'Set it to any value to disable log colors',
  NODE_EXTRA_CA_CERTS: 'A file with additional certificate authorities to trust',
};

/** Read by clients, which may run in the same shell as the server. */
export const clientVariables: readonly string[] = [
  'TOOLGATE_URL',
  'TOOLGATE_API_KEY',
  'TOOLGATE_KEY',
  'TOOLGATE_PROJECT',
  'TOOLGATE_PROJECT_ID',
];

export type SettingName = keyof typeof settings;

export type SettingValues = {
  [Name in SettingName]:
    | ReturnType<(typeof settings)[Name]['parse']>
    | ((typeof settings)[Name]['fallback'] extends null ? null : never);
};

/** The rows of the table, for what treats all settings alike. */
export const settingRows: [name: string, setting: Setting][] = Object.entries(settings);
