// Reads the log streams of a project, and says in words what they send and how they are.

import type { LogStreamKind, LogStreamSource, LogStreamTestStep } from '@toolgate/contract/log-streams/rules.ts';
import type { LogStream } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { count } from '../../ui/words.ts';

/** How far a stream is behind changes by itself. */
const REFRESH_MS = 10_000;

/** Who may not read them gets nothing. */
export function useLogStreamsQuery(isAllowed: boolean) {
  return useProjectQuery(['log-streams'], (api) => api.logStreams.list(), {
    enabled: isAllowed,
    refetchInterval: REFRESH_MS,
  });
}

export const kindWords: Record<LogStreamKind, string> = {
  https: 'HTTPS',
  otlp_http: 'OpenTelemetry',
  s3: 'S3 bucket',
};

export const sourceWords: Record<LogStreamSource, string> = { tool_calls: 'Call log', audit_log: 'Audit log' };

export const stepWords: Record<LogStreamTestStep, string> = {
  credentials: 'Its credentials can be decrypted',
  address: 'toolgate is allowed to connect to it',
  connection: 'It accepts connections, and its certificate is valid',
  answer: 'The receiver accepts an entry',
};

export function stateOf({ is_enabled, failing_since }: LogStream): 'enabled' | 'failing' | 'disabled' {
  if (!is_enabled) return 'disabled';
  return failing_since === null ? 'enabled' : 'failing';
}

/** Where it sends to: "https://logs.example.com/toolgate", or a bucket and the beginning of its names. */
export const receiverOf = ({ kind, endpoint, bucket, prefix }: LogStream) =>
  kind === 's3' ? `${bucket}/${prefix ?? ''} at ${endpoint}` : endpoint;

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "None", "40 seconds", "3 hours" */
export function lagText(seconds: number): string {
  if (seconds === 0) return 'None';
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? (['second', 1] as const);
  return count(Math.floor(seconds / size), unit);
}
