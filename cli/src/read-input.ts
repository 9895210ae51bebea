// Reads a file, or stdin for `-`.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Failure } from './failure.ts';

export function readText(file: string): string {
  return readFileSync(file === '-' ? 0 : file, 'utf8');
}

/** JSON is YAML, so both are read. */
export function readObject(file: string): Record<string, unknown> {
  return parseObject(readText(file), file === '-' ? 'stdin' : file);
}

export function parseObject(text: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new Failure(`${name} is not valid YAML or JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure(`${name} must hold one object.`);
  return value as Record<string, unknown>;
}
