import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../../../src/config/config.ts';

/** The lines that a start with these settings prints; none if it is accepted. */
export function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n').slice(1);
  }
  return [];
}
