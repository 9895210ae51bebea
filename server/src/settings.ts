// The table of all settings: for --help, and to find a mistyped name. config.ts reads and validates their values.

/** The default as the environment would state it; null if it is computed, and then the description states it. */
type Setting = readonly [fallback: string | null, description: string];

export const settings = {
  HOST: ['127.0.0.1', 'address to listen on'],
  PORT: ['3000', 'port to listen on'],
  DATABASE_URL: [null, 'postgres://… of an external PostgreSQL (default: embedded, in the data folder)'],
  TOOLGATE_PUBLIC_URL: [null, 'origin that clients use (default: the listening address)'],
  TOOLGATE_DATA_DIR: ['data', 'folder of the embedded PostgreSQL, root.key and master.key'],
  TOOLGATE_ROOT_KEY: [null, "the operator's key (default: created in the data folder)"],
  TOOLGATE_MASTER_KEYS: [null, 'id:base64,… (default: created in the data folder; required with DATABASE_URL)'],
  TOOLGATE_DEFAULT_PLAN: ['free', 'plan of a new project: free, pro or enterprise'],
  TOOLGATE_EGRESS_ALLOW: ['', 'private addresses that tools may reach: 10.0.0.5:8443,…'],
  TOOLGATE_TRUSTED_PROXIES: ['', 'addresses or networks whose X-Forwarded-For is trusted'],
  TOOLGATE_MAX_CONNECTIONS: ['10000', 'open connections in total'],
  TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: ['1000', 'open connections from one address'],
  TOOLGATE_DRAIN_MS: [null, 'how long SIGTERM still accepts requests (default: 2000; embedded 500)'],
  TOOLGATE_STOP_TIMEOUT_MS: ['60000', 'how long requests in progress may take after that'],
  TOOLGATE_EVENT_DAYS: ['30', 'retention of events'],
  TOOLGATE_DELIVERY_DAYS: ['30', 'retention of the delivery log'],
  TOOLGATE_CALL_LOG_DAYS: ['30', 'retention of the tool call log'],
  TOOLGATE_AUDIT_DAYS: ['400', 'retention of the audit log'],
  TOOLGATE_DELETED_PROJECT_DAYS: ['30', 'when the rows of a deleted project are purged'],
  TOOLGATE_LOG_LEVEL: ['info', 'debug, info, warn, error or silent'],
  TOOLGATE_LOG_FORMAT: ['auto', 'json, pretty, or auto: pretty on a terminal'],
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

const PREFIX = 'TOOLGATE_';

/** For clients, which may run in the same shell as the server. */
const CLIENT_VARIABLES = new Set(['TOOLGATE_URL', 'TOOLGATE_API_KEY', 'TOOLGATE_KEY', 'TOOLGATE_PROJECT']);

/**
 * Kubernetes sets these for every Service whose name starts with "toolgate". A name that ends in PORT can be a mistyped
 * setting too, so its value must be the URL that Kubernetes writes.
 */
const KUBERNETES =
  /_SERVICE_(?:HOST|PORT)(?:_\w+)?=|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?=|_PORT=\w+:\/\//;

/** One problem for each variable that looks like a setting and is none. The value is not shown: it may be a secret. */
export function findUnknownSettings(environment: Record<string, string | undefined>): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && !(name in settings) && !CLIENT_VARIABLES.has(name))
    .filter(([name, value]) => !KUBERNETES.test(`${name}=${value}`))
    .map(([name]) => {
      const nearest = nearestSetting(name);
      return `${name} is not a setting: ${nearest ? `did you mean ${nearest}?` : 'npm start -- --help lists all'}`;
    });
}

export function describeSettings(): string {
  const rows: [string, Setting][] = Object.entries(settings);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, [fallback, description]]) => {
      const shown = fallback === null ? '' : ` (default: ${fallback || 'none'})`;
      return `  ${name.padEnd(width)}  ${description}${shown}\n`;
    })
    .join('');
}

/** The prefix is not compared: TOOLGATE_PORT is near to PORT. */
function nearestSetting(name: string): string | null {
  const given = name.slice(PREFIX.length);
  let nearest: string | null = null;
  let least = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const candidate of Object.keys(settings)) {
    const distance = editDistance(given, candidate.replace(PREFIX, ''));
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Levenshtein: how many characters must be inserted, deleted or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] as number) + 1;
      const deleted = (previous[column] as number) + 1;
      current.push(Math.min(replaced, inserted, deleted));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
