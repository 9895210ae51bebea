// What is written about an error never has a key in it, whatever the error is about.

import { redactSecrets } from '../../server/src/redaction/secret-patterns.ts';
import type { Context } from './context.ts';

/** A root key may be any text. Shorter ones are no keys, and would be found in ordinary words. */
const SHORTEST_KEY = 16;

export function redact(context: Context, text: string): string {
  return keysOf(context).reduce((rest, key) => rest.replaceAll(key, '[secret]'), redactSecrets(text));
}

function keysOf({ args, environment }: Context): string[] {
  const options = args.flatMap((word, at) => (word === '--key' ? [args[at + 1]] : [/^--key=(.*)$/s.exec(word)?.[1]]));
  const keys = [environment.TOOLGATE_API_KEY, environment.TOOLGATE_ROOT_KEY, ...options];
  return keys.filter((key) => key !== undefined && key.length >= SHORTEST_KEY) as string[];
}
