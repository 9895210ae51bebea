// Redacts what is kept of arguments and results: the fields that the project names, fields that are credentials by their name,
// and text that looks like a credential. Works on the JSON text, which may be cut at any place, and stops at the limit, so that
// a large payload costs no more than a small one.

import { redactSecrets } from '../../secret-patterns.ts';

const REDACTED = '[redacted]';

/** As a whole name. Only text is replaced: `token: 5` is a number of tokens. */
const credentialName =
  /^(?:password|passwd|pwd|secret|client_?secret|token|(?:access|refresh|id|session|auth)_?token|authorization|api_?key|x-api-key|private_?key|cookie|set-cookie|credentials?)$/i;

/** One token of JSON. An unterminated string ends at the end of the text. */
const jsonToken = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]|[^\s"{}[\],:]+|\s+/gs;

export type Redacted = { text: string; is_cut: boolean };

export function redactPayload(given: string, redact_fields: readonly string[], max_length: number): Redacted {
  const isJson = /^\s*[{["]/.test(given);
  const text = isJson ? redactJson(given, namesOf(redact_fields), max_length) : redactSecrets(given);
  const is_cut = text.length > max_length;
  return { text: is_cut ? text.slice(0, max_length).toWellFormed() : text, is_cut };
}

/** Names are compared without regard to case. */
const namesOf = (fields: readonly string[]) => new Set(fields.map((name) => name.toLowerCase()));

function redactJson(given: string, redact: Set<string>, max_length: number): string {
  const tokens = given.matchAll(jsonToken);
  let out = '';
  /** The string before a colon, until the colon. */
  let name = '';
  /** What happens to the next value. */
  let next: 'keep' | 'redact' | 'redact text' = 'keep';
  for (const [token] of tokens) {
    if (out.length > max_length) break;
    if (token.trim() === '') continue;
    if (token === ':') {
      next = actionFor(name, redact);
      out += token;
    } else if (next === 'redact' && !/^[,}\]]/.test(token)) {
      if (token === '{' || token === '[') skipToEnd(tokens);
      out += JSON.stringify(REDACTED);
      next = 'keep';
    } else if (token.startsWith('"')) {
      out += next === 'redact text' ? JSON.stringify(REDACTED) : redactSecrets(token);
      name = token;
      next = 'keep';
    } else {
      out += token;
      next = 'keep';
    }
  }
  return out;
}

function actionFor(quoted_name: string, redact: Set<string>): 'keep' | 'redact' | 'redact text' {
  const name = unquote(quoted_name);
  if (redact.has(name.toLowerCase())) return 'redact';
  return credentialName.test(name) ? 'redact text' : 'keep';
}

function unquote(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** Consumes the rest of an object or array that has begun. */
function skipToEnd(tokens: Iterator<RegExpMatchArray>): void {
  for (let depth = 1; depth > 0; ) {
    const { done, value } = tokens.next();
    if (done) return;
    if (value[0] === '{' || value[0] === '[') depth += 1;
    if (value[0] === '}' || value[0] === ']') depth -= 1;
  }
}
