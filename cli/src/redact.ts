// What is written about an error never has a key in it, whatever the error is about.

import { redactSecrets } from '../../server/src/redaction/secret-patterns.ts';
import { environment } from './environment.ts';

/** A root key may be any text. Shorter ones are no keys, and would be found in ordinary words. */
const SHORTEST_KEY = 16;

export function redact(text: string): string {
  return given().reduce((rest, key) => rest.replaceAll(key, '[secret]'), redactSecrets(text));
}

function given(): string[] {
  const { argv } = process;
  const options = argv.flatMap((word, at) => (word === '--key' ? [argv[at + 1]] : [/^--key=(.*)$/s.exec(word)?.[1]]));
  const keys = [environment.TOOLGATE_API_KEY, environment.TOOLGATE_ROOT_KEY, ...options];
  return keys.filter((key) => key !== undefined && key.length >= SHORTEST_KEY) as string[];
}
