// Reads a file, or stdin for `-`.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

export async function readText({ stdin }: Context, file: string): Promise<string> {
  return file === '-' ? text(stdin) : readFile(file, 'utf8');
}

/** JSON is YAML, so both are read. */
export async function readObject(context: Context, file: string): Promise<Record<string, unknown>> {
  return parseObject(await readText(context, file), file === '-' ? 'stdin' : file);
}

export function parseObject(content: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parse(content, { maxAliasCount: 100 });
  } catch (error) {
    throw new Failure(`${name} is not valid YAML or JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure(`${name} must contain one object.`);
  return value as Record<string, unknown>;
}
