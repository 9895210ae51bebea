// What one payload is redacted by: the names that the project chose, and the names that are credentials.

import { comparable, credentialSensitivity, MAX_NAME_LENGTH, named, type Sensitivity } from './credential-names.ts';

export const REDACTED = '[redacted]';

export type RedactionContext = {
  /** Null: a value of this name is kept. */
  sensitivityOf(name: string): Sensitivity | null;
  /** The name as it is kept. Lists of objects repeat their names. */
  shownNames: Map<string, string>;
  /** Whether a name of the project ends with this word. */
  mayEndField(word: string): boolean;
  /** Whether the project names it. A name in prose may have spaces. */
  isNamed(name: string): boolean;
};

export function createContext(redact_fields: readonly string[]): RedactionContext {
  const list = redact_fields.map(comparable);
  const fields = new Set(list);
  const isField = remembered((name) => fields.has(comparable(name)) || fields.has(lastPart(name)));
  const isNamed = (name: string) => fields.size > 0 && isField(name);
  return {
    isNamed,
    shownNames: new Map(),
    sensitivityOf: (name) => (isNamed(name) ? named : credentialSensitivity(name)),
    mayEndField: remembered((word) => list.some((field) => field.endsWith(comparable(word)))),
  };
}

/** Lists of objects repeat their names. */
function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? judge(name);
    known.set(name, found);
    return found;
  };
}

/** Of `customer[iban]`, `customer.iban` and `bank:iban` that is `iban`. */
function lastPart(name: string): string {
  return comparable(
    name
      .slice(-MAX_NAME_LENGTH)
      .split(/[.:/[\]]+/)
      .findLast((part) => part !== '') ?? '',
  );
}

/** Whether an unquoted value, or a number or literal of JSON, is kept. */
export function isKeptWord(word: string, { numbers, literals, text }: Sensitivity): boolean {
  if (/^(?:true|false|null|none|nil|undefined|yes|no|~)$/i.test(word)) return !literals;
  if (/^[+-]?\d[\d.,_]*(?:e[+-]?\d+)?$/i.test(word)) {
    if (numbers === 'many') return word.replace(/\D/g, '').length < 6;
    return !numbers;
  }
  return !text;
}
