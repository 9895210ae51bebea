// For how long files are kept: the choices, and each number of seconds in words.

import {
  DEFAULT_FILE_RETENTION_SECONDS,
  MAX_FILE_RETENTION_SECONDS,
  MIN_FILE_RETENTION_SECONDS,
} from '@toolgate/contract/files/rules.ts';
import type { Option } from '../../ui/forms/options.ts';
import { count } from '../../ui/words.ts';

const choices = [
  0,
  MIN_FILE_RETENTION_SECONDS,
  900,
  DEFAULT_FILE_RETENTION_SECONDS,
  14_400,
  43_200,
  MAX_FILE_RETENTION_SECONDS,
];

export function fileRetentionText(seconds: number): string {
  if (seconds === 0) return 'No files are stored';
  if (seconds % 3600 === 0) return count(seconds / 3600, 'hour');
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : count(seconds, 'second');
}

/** With the stored value, which the API may have set to any other number. */
export function fileRetentionOptions(stored: number): Option[] {
  const offered = [...new Set([...choices, stored])].sort((one, other) => one - other);
  return offered.map((seconds) => ({ value: String(seconds), label: fileRetentionText(seconds) }));
}
