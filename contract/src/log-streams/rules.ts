// The choices and bounds of log streams, and which fields belong to which kind. Without zod: the dashboard ships it to browsers.

export const logStreamKinds = ['otlp_http', 's3', 'https'] as const;

export type LogStreamKind = (typeof logStreamKinds)[number];

export const logStreamSources = ['tool_calls', 'audit_log'] as const;

export type LogStreamSource = (typeof logStreamSources)[number];

/** Why the service switched one off. */
export const logStreamDisabledReasons = ['failing'] as const;

/** Why a batch was not accepted. */
export const logStreamErrorCodes = [
  'address',
  'connection',
  'timeout',
  'status',
  'rejected',
  'secret',
  'chain',
  'internal',
] as const;

export type LogStreamErrorCode = (typeof logStreamErrorCodes)[number];

/** What a test checks, in this order. */
export const logStreamTestSteps = ['credentials', 'address', 'connection', 'answer'] as const;

export type LogStreamTestStep = (typeof logStreamTestSteps)[number];

/** In one project. */
export const MAX_LOG_STREAMS = 5;
export const MIN_FLUSH_SECONDS = 5;
export const MAX_FLUSH_SECONDS = 3_600;

export const defaultFlushSeconds = (kind: LogStreamKind) => (kind === 's3' ? MAX_FLUSH_SECONDS : MIN_FLUSH_SECONDS);

export const DEFAULT_REGION = 'us-east-1';

/** Where a bucket is reached unless an endpoint is given. */
export const amazonEndpoint = (region: string) => `https://s3.${region}.amazonaws.com`;

/** The fields of only some kinds: `needed` must be given to create one, `taken` may be. */
const ofKind: Record<LogStreamKind, { needed: readonly string[]; taken: readonly string[] }> = {
  otlp_http: { needed: ['endpoint'], taken: ['headers'] },
  https: { needed: ['endpoint'], taken: ['headers'] },
  s3: { needed: ['bucket', 'access_key_id', 'secret_access_key'], taken: ['endpoint', 'region', 'prefix'] },
};

const special = [...new Set(Object.values(ofKind).flatMap(({ needed, taken }) => [...needed, ...taken]))];

/** The fields of only some kinds that this one has. */
export const fieldsOfKind = (kind: LogStreamKind): readonly string[] => [...ofKind[kind].needed, ...ofKind[kind].taken];

type Given = Readonly<Record<string, unknown>>;

/** The first field that does not belong to this kind. One that is null or empty counts as not given. */
export function foreignField(kind: LogStreamKind, given: Given): string | undefined {
  const own = fieldsOfKind(kind);
  return special.find((field) => !own.includes(field) && isGiven(given[field]));
}

/** The first field that is missing for a new one of this kind. */
export function missingField(kind: LogStreamKind, given: Given): string | undefined {
  return ofKind[kind].needed.find((field) => !isGiven(given[field]));
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
