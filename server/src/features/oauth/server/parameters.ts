// The parameters of an OAuth request. No parameter may be repeated (RFC 6749 3.1); an empty one counts as absent, and unknown
// ones are ignored.

import { showName } from '../../../api/show-name.ts';
import { refuse } from '../../../errors/errors.ts';

export type Parameters = ReadonlyMap<string, string>;

/** 100 toolsets with the longest slugs are 4,700 characters of scopes. */
const MAX_LENGTH = 8192;

export function readParameters(query: string | URLSearchParams): Parameters {
  const parameters = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (seen.has(name)) throw invalidParameter(name, 'must not be repeated');
    seen.add(name);
    if (value !== '') parameters.set(name, storable(name, value));
  }
  return parameters;
}

/** The same for a JSON object. */
export function readJsonParameters(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refuse.oauthInvalidRequest({ details: { remedy: 'Send a JSON object or a form.' } });
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === '') continue;
    if (typeof value !== 'string') throw invalidParameter(name, 'must be a string');
    parameters.set(name, storable(name, value));
  }
  return parameters;
}

export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidParameter(name, 'is required');
  return value;
}

export const invalidParameter = (name: string, problem: string) =>
  refuse.oauthInvalidRequest({
    details: { field: showName(name), remedy: `Correct the request: ${showName(name)} ${problem}.` },
  });

function storable(name: string, value: string): string {
  if (value.length > MAX_LENGTH) throw invalidParameter(name, `has more than ${MAX_LENGTH} characters`);
  if (value.includes('\0') || !value.isWellFormed()) throw invalidParameter(name, 'is not valid text');
  return value;
}
