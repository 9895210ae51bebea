// Redacts what is kept of arguments and results: the fields that the project names, fields that are credentials by their name,
// and text that looks like a credential, also in JSON, forms, XML and YAML inside of a text. The payload may be cut at any place.

import { createContext, REDACTED, type RedactionContext } from '../../../redaction/context.ts';
import { redactJson } from '../../../redaction/redact-json.ts';
import { redactText } from '../../../redaction/redact-text.ts';

/** JSON in a string of JSON in a string… Each level doubles the backslashes, so that nothing sensible has more. */
const MAX_DEPTH = 8;

export type Redacted = { text: string; is_cut: boolean };

export function redactPayload(given: string, redact_fields: readonly string[], max_length: number): Redacted {
  const text = redactAny(given, createContext(redact_fields), max_length, 0);
  const is_cut = text.length > max_length;
  return { text: is_cut ? text.slice(0, max_length).toWellFormed() : text, is_cut };
}

function redactAny(text: string, context: RedactionContext, max_length: number, depth: number): string {
  if (!/^\s*[{["]/.test(text)) return redactText(text, context);
  if (depth > MAX_DEPTH) return REDACTED;
  const json = redactJson(text, {
    context,
    redactText: (inner) => redactAny(inner, context, max_length, depth + 1),
    max_length,
    is_spaced: depth > 0,
  });
  return json ?? redactText(text, context);
}
