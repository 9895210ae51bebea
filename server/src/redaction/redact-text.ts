// Redacts text that is not JSON as a whole: prose, logs, forms, headers, YAML, XML, command lines, and JSON inside of them. It
// finds names before `:` and `=` and replaces the values after them. Every character is looked at a bounded number of times.

import { redactFlags, redactMultipart, redactPhrases } from './command-lines.ts';
import { isKeptWord, REDACTED, type RedactionContext } from './context.ts';
import type { Sensitivity } from './credential-names.ts';
import { type NameBefore, nameBefore, phrasesBefore, placeOf } from './name-before.ts';
import { redactMarkup } from './redact-markup.ts';
import { redactTokenForms } from './token-forms.ts';
import { type Extent, valueExtent } from './value-extent.ts';

/** An encoded one separates names from values inside of a parameter. */
const separator = /[:=]|%3[AaDd]/g;
const afterSeparator = /(?:[:=>]|%3[AaDd])*[ \t]*(?:\s{0,16}(?:string|int)\(\d{1,9}\)[ \t]*)?/y;

/** Every shape has a sign, a long word or one of these in it. */
const suspicious = /[:=<%&$~_./-]|[A-Za-z0-9]{12}|bearer|basic|pass|pin|secret|token|key|identified/i;
/** `pin=1234` is longer. */
const SHORTEST = 6;

export function redactText(text: string, context: RedactionContext): string {
  if (text.length < SHORTEST || !suspicious.test(text)) return text;
  let rest = text;
  if (/[:=<]|%3|&lt;/i.test(rest)) {
    rest = redactMultipart(rest, context);
    rest = redactMarkup(rest, context);
    rest = redactAssignments(rest, context);
  }
  rest = redactPhrases(redactFlags(rest, context));
  return redactTokenForms(rest);
}

function redactAssignments(text: string, context: RedactionContext): string {
  let out = '';
  /** All before it is in `out`. */
  let done = 0;
  separator.lastIndex = 0;
  for (let found = separator.exec(text); found; found = separator.exec(text)) {
    const name = nameBefore(text, found.index, done);
    const sensitivity = name && sensitivityOf(text, done, name, context);
    const extent = sensitivity && extentAfter(text, found, name, sensitivity);
    if (!extent) continue;
    out += text.slice(done, extent.start) + REDACTED;
    done = extent.end;
    separator.lastIndex = done;
  }
  return out + text.slice(done);
}

/** The last word of credentials that have two in prose: "API key", "recovery codes". */
const isCompound = (word: string) => /^(?:keys?|codes?|strings?|phrase)$/i.test(word);

function sensitivityOf(text: string, floor: number, name: NameBefore, context: RedactionContext): Sensitivity | null {
  const found = context.sensitivityOf(name.name);
  if (found || !(isCompound(name.name) || context.mayEndField(name.name))) return found;
  const phrase = phrasesBefore(text, floor, name).find(
    (each) => context.isNamed(each) || (isCompound(name.name) && context.sensitivityOf(each)),
  );
  return phrase === undefined ? null : context.sensitivityOf(phrase);
}

/** Null: nothing is replaced. */
function extentAfter(
  text: string,
  { 0: mark, index }: RegExpExecArray,
  name: NameBefore,
  sensitivity: Sensitivity,
): Extent | null {
  afterSeparator.lastIndex = index;
  afterSeparator.exec(text);
  const start = afterSeparator.lastIndex;
  const isContainer = text[start] === '{' || text[start] === '[';
  if (!(isContainer ? sensitivity.containers : sensitivity.text) || text.startsWith(REDACTED, start)) return null;
  const options = { ...placeOf(text, name), is_encoded: mark.startsWith('%'), is_line: sensitivity.isLine };
  const extent = valueExtent(text, start, options);
  if (extent === null || extent.start >= extent.end) return null;
  const isKept = extent.kind === 'word' && isKeptWord(text.slice(extent.start, extent.end).trim(), sensitivity);
  return isKept ? null : extent;
}
