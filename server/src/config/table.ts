// The table of all settings: name, default, description and parser. config.ts reads its values from here, --help prints it,
// `npm run docs` makes docs/reference/settings.md of it, and a mistyped name is found with it. A new setting is a row here and a line in config.ts.

import { plans } from '@toolgate/contract/projects/plans.ts';
import {
  allowList,
  anyText,
  baseUrl,
  command,
  days,
  emailAddress,
  integer,
  masterKeys,
  networks,
  oneOf,
  origin,
  type Parse,
  port,
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
  HOST: { fallback: '127.0.0.1', description: 'The address to listen on', parse: anyText },
  PORT: { fallback: '3000', description: 'The port to listen on', parse: port },
  TOOLGATE_PUBLIC_URL: {
    fallback: null,
    default_text: 'what the start prints, such as `http://127.0.0.1:3000`',
    description: 'The origin that clients use, such as `https://tools.example.com`',
    parse: origin,
  },
  TOOLGATE_DATA_DIR: {
    fallback: 'data',
    description: 'The folder of the embedded PostgreSQL, `root.key` and `master.key`',
    parse: anyText,
  },
  DATABASE_URL: {
    fallback: null,
    description: 'Use this PostgreSQL, 14 or newer, instead of the embedded one: `postgres://…`',
    parse: secretText(/^postgres(ql)?:\/\//, 'start with postgres://'),
  },
  REDIS_URL: {
    fallback: null,
    description:
      'Count the limits in this Redis 7 or Valkey, for all replicas: `redis://…` or `rediss://…`. Without it they are counted in PostgreSQL',
    parse: secretText(/^rediss?:\/\//, 'start with redis:// or rediss://'),
  },
  TOOLGATE_REDIS_TIMEOUT_MS: {
    fallback: '40',
    description: 'How long a request waits for Redis before this process decides on its own',
    parse: integer(5, 10_000),
  },
  TOOLGATE_MASTER_KEYS: {
    fallback: '',
    default_text: 'created in the data folder',
    description:
      '`id:base64` of 32 bytes; several are separated by commas. The first one encrypts, all decrypt. Required with `DATABASE_URL`, unless a command prints them',
    parse: masterKeys,
  },
  TOOLGATE_MASTER_KEY_COMMAND: {
    fallback: null,
    description:
      'Instead of `TOOLGATE_MASTER_KEYS`: a program that prints the keys in the same form, as a JSON list of the program and its arguments. It is run at the start, without a shell, and has 10 seconds',
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
      'Reads `/metrics`, beside the root key: 16 to 256 visible ASCII characters. See [operations](../operations.md)',
    parse: secretText(/^[\x21-\x7e]{16,256}$/, 'be 16 to 256 visible ASCII characters'),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: null,
    description: 'Export OpenTelemetry spans to this collector, over HTTP, such as `http://localhost:4318`',
    parse: baseUrl,
  },
  TOOLGATE_DEFAULT_PLAN: {
    fallback: 'free',
    description:
      'Plan of a new project: `free`, `pro` or `enterprise`. Those that owners of the first organization create start on `enterprise`',
    parse: oneOf(...plans),
  },
  TOOLGATE_MAX_PROJECTS: {
    fallback: '100',
    description: 'Projects that the people of an organization may have',
    parse: integer(1, 1_000_000),
  },
  TOOLGATE_OWNER_EMAIL: {
    fallback: null,
    description: 'Create the first owner with this email address at the start, unless an owner exists',
    parse: emailAddress,
  },
  TOOLGATE_OWNER_PASSWORD_FILE: {
    fallback: null,
    description: 'The file with the password of that owner. Both settings are needed',
    parse: anyText,
  },
  TOOLGATE_EGRESS_ALLOW: {
    fallback: '',
    description:
      'What tools and webhooks may reach beside public HTTPS addresses, separated by commas: addresses, ranges, host names and `*.suffix`, each with or without a port, and `http://host:port` for plain HTTP. See [self-hosting](../guides/self-hosting.md#outgoing-connections). With `TOOLGATE_EGRESS_ALLOW_FILE` it is read again on SIGHUP',
    parse: allowList,
  },
  TOOLGATE_TRUSTED_PROXIES: {
    fallback: '',
    description: 'Addresses or networks whose `X-Forwarded-For` is trusted',
    parse: networks,
  },
  TOOLGATE_WORKERS: {
    fallback: null,
    default_text: 'as many as there are cores; embedded `1`',
    description: 'Processes that share the port',
    parse: integer(1, 256),
  },
  TOOLGATE_MAX_CONNECTIONS: {
    fallback: '10000',
    description: 'Open connections in total',
    parse: integer(1, 1_000_000),
  },
  TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: {
    fallback: '1000',
    description: 'Open connections from one address (IPv6: one /64). A trusted proxy counts towards the total only',
    parse: integer(1, 1_000_000),
  },
  TOOLGATE_DRAIN_MS: {
    fallback: null,
    default_text: '`2000`; embedded `500`',
    description: 'How long requests are still accepted after SIGTERM, while `/readyz` is 503. After Ctrl-C: 0',
    parse: integer(0, 600_000),
  },
  TOOLGATE_STOP_TIMEOUT_MS: {
    // Longer than the longest timeout of a tool.
    fallback: '60000',
    description: 'How long requests in progress may take after that. After Ctrl-C: at most 10 s',
    parse: integer(0, 600_000),
  },
  // At least 7: a delivery is tried for more than three days, and a webhook may fail for five.
  TOOLGATE_EVENT_DAYS: { fallback: '30', description: 'Retention of events', parse: days(7) },
  TOOLGATE_DELIVERY_DAYS: {
    fallback: '30',
    description: 'Retention of the delivery log. Events older than this or `TOOLGATE_EVENT_DAYS` cannot be recovered',
    parse: days(1),
  },
  TOOLGATE_CALL_LOG_DAYS: { fallback: '30', description: 'Retention of the tool call log', parse: days(1) },
  TOOLGATE_AUDIT_DAYS: { fallback: '400', description: 'Retention of the audit log', parse: days(1) },
  TOOLGATE_DELETED_PROJECT_DAYS: {
    fallback: '30',
    description: 'When the rows of a deleted project are purged',
    parse: days(7),
  },
  TOOLGATE_DYNAMIC_REGISTRATION: {
    fallback: 'off',
    description: '`on`: OAuth clients may register themselves (RFC 7591)',
    parse: oneOf('off', 'on'),
  },
  TOOLGATE_OPENAI_APPS_CHALLENGE: {
    fallback: null,
    description:
      'The token that OpenAI shows when an app is submitted to ChatGPT: served at `/.well-known/openai-apps-challenge`. At most 512 visible ASCII characters',
    parse: secretText(/^[\x21-\x7e]{1,512}$/, 'be 1 to 512 visible ASCII characters'),
  },
  TOOLGATE_DASHBOARD: {
    fallback: 'on',
    description: '`off`: no dashboard and no API reference; nothing is built',
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
  NO_COLOR: 'Set it to any value to turn the colors of the log off',
  NODE_EXTRA_CA_CERTS: 'A file of additional certificate authorities to trust',
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
