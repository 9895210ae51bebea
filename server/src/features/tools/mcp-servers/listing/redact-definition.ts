// Replaces the credential of an MCP server in a definition that repeats it. Before it is hashed: with a new credential the definition is
// still the same, and nobody can try out credentials until the hash is right.

import { REDACTED } from '../../../../redaction/context.ts';

type RawJson = { isRawJSON(value: unknown): value is { rawJSON: string } };

/** `text` is the JSON of the value. `secrets` are forms of them, that of JSON included. */
export function redactDefinition(value: object, text: string, secrets: readonly string[]): object {
  return hasSecret(text, secrets) ? (redactIn(value, secrets) as object) : value;
}

function redactIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') return hasSecret(String(value), secrets) ? REDACTED : value;
  if (typeof value !== 'object' || value === null) return value;
  if ((JSON as typeof JSON & RawJson).isRawJSON(value)) return hasSecret(value.rawJSON, secrets) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => redactIn(item, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [redactText(name, secrets), redactIn(inside, secrets)]),
  );
}

export const redactText = (text: string, secrets: readonly string[]) =>
  secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);

const hasSecret = (text: string, secrets: readonly string[]) => secrets.some((secret) => text.includes(secret));
