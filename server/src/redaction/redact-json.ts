// Redacts JSON, which may be cut at any place: values by the name of their field, and the text of all other strings. Works on the
// tokens, so that a deeply nested payload needs no stack, and stops at the limit, so that a large one costs no more than a small one.

import { isKeptWord, REDACTED, type RedactionContext } from './context.ts';
import type { Sensitivity } from './credential-names.ts';

type Container = {
  kind: 'object' | 'array';
  expects: 'name' | 'name or end' | 'colon' | 'value' | 'value or end' | 'comma or end';
  name: string;
  /** Of {"name": "password", "value": "…"} in either order, and of the private members of a JWK: where the value is in the output. */
  named_value: number | null;
  is_named: boolean;
  private_members: number[];
  is_jwk: boolean;
  /** The element before was the name of a header, as in ["Authorization", "Basic …"]. */
  follows_header: boolean;
  /** How many elements it has; -1: it cannot be a pair, as in [["password", "…"]]. */
  pair_length: number;
};

type Output = { parts: string[]; length: number };
type Options = {
  context: RedactionContext;
  redactText(text: string): string;
  max_length: number;
  /** Whether white space between tokens is kept. */
  is_spaced: boolean;
};
type Work = Options & { containers: Container[]; output: Output };

const token = /(\s*)(?:("[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$))|([{}[\],:])|([^\s"{}[\],:]+))/y;
const plain = /^"[^"\\\p{Cc}]*"$/u;
const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const cutLiteral = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-?\d*\.?\d*(?:[eE][+-]?\d*)?)$/;
const QUOTED_REDACTED = JSON.stringify(REDACTED);

/** Undefined: this is not JSON. */
export function redactJson(text: string, options: Options): string | undefined {
  const work: Work = { ...options, containers: [], output: { parts: [], length: 0 } };
  let at = 0;
  let needed_depth: number | null = null;
  while (at < text.length) {
    if (work.output.length > options.max_length) {
      needed_depth ??= depthOfUnnamed(work);
      if (work.containers.length < needed_depth) break;
    }
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) break;
    at = token.lastIndex;
    if (options.is_spaced) emit(work.output, found[1] as string);
    const skipped = skipRedacted(work, text, found);
    if (skipped !== null) at = skipped;
    else if (!takeToken(work, found, at === text.length)) return undefined;
  }
  if (work.output.parts.length === 0) return undefined;
  for (const container of work.containers) finish(work.output, container);
  return work.output.parts.join('') + (options.is_spaced && text.slice(at).trim() === '' ? text.slice(at) : '');
}

/** If the value of a sensitive name begins here, and is an object or an array: where it ends. */
function skipRedacted({ containers, output, context }: Work, text: string, found: RegExpExecArray): number | null {
  const container = containers.at(-1);
  const mark = found[3];
  if ((mark !== '{' && mark !== '[') || container?.kind !== 'object' || container.expects !== 'value') return null;
  if (!context.sensitivityOf(container.name)?.containers) return null;
  emit(output, QUOTED_REDACTED);
  container.expects = 'comma or end';
  return endOfContainer(text, token.lastIndex);
}

function endOfContainer(text: string, from: number): number {
  token.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const found = token.exec(text);
    if (!found) return text.length;
    if (found[3] === '{' || found[3] === '[') depth += 1;
    if (found[3] === '}' || found[3] === ']') depth -= 1;
  }
  return token.lastIndex;
}

/** Returns false if the token cannot be here. */
function takeToken(work: Work, [, , string, mark, word]: RegExpExecArray, is_last: boolean): boolean {
  const container = work.containers.at(-1);
  if (string !== undefined) return takeString(work, container, string, is_last);
  if (word !== undefined) {
    if (!literal.test(word) && !(is_last && cutLiteral.test(word))) return false;
    return takeValue(work, container, (sensitivity) => (isKeptWord(word, sensitivity) ? word : QUOTED_REDACTED), word);
  }
  if (mark === '{' || mark === '[') return open(work, container, mark);
  if (!container) return false;
  if (mark === ':' || mark === ',') return takeMark(work.output, container, mark);
  if ((mark === '}') !== (container.kind === 'object') || !container.expects.endsWith('end')) return false;
  finish(work.output, container);
  work.containers.pop();
  emit(work.output, mark as string);
  return true;
}

function takeMark(output: Output, container: Container, mark: ':' | ','): boolean {
  if (container.expects !== (mark === ':' ? 'colon' : 'comma or end')) return false;
  container.expects = mark === ':' || container.kind === 'array' ? 'value' : 'name';
  emit(output, mark);
  return true;
}

function open(work: Work, container: Container | undefined, mark: '{' | '['): boolean {
  if (!takeValue(work, container, () => mark, mark)) return false;
  const isObject = mark === '{';
  work.containers.push({
    kind: isObject ? 'object' : 'array',
    expects: isObject ? 'name or end' : 'value or end',
    name: '',
    named_value: null,
    is_named: false,
    private_members: [],
    is_jwk: false,
    follows_header: false,
    pair_length: !isObject && container?.kind === 'array' ? 0 : -1,
  });
  return true;
}

function takeString(work: Work, container: Container | undefined, string: string, is_last: boolean): boolean {
  const whole = parsed(string);
  const text = whole ?? (is_last ? parsedBeginning(string) : undefined);
  if (text === undefined) return false;
  if (container?.kind === 'object' && container.expects.startsWith('name')) {
    container.name = text;
    container.expects = 'colon';
    const shown = shownName(work, text);
    emit(work.output, shown === text ? string : JSON.stringify(shown));
    return true;
  }
  const show = () => {
    const shown = work.redactText(text);
    if (shown === text) return string;
    return whole === undefined ? JSON.stringify(shown).slice(0, -1) : JSON.stringify(shown);
  };
  const isTaken = takeValue(work, container, (found) => (found.text ? QUOTED_REDACTED : show()), show);
  if (isTaken && container) notice(work, container, text);
  return isTaken;
}

function shownName({ context, redactText }: Work, name: string): string {
  const shown = context.shownNames.get(name) ?? redactText(name);
  context.shownNames.set(name, shown);
  return shown;
}

function takeValue(
  work: Work,
  container: Container | undefined,
  sensitive: (sensitivity: Sensitivity) => string,
  plain: string | (() => string),
): boolean {
  const { context, output } = work;
  if (container && !container.expects.startsWith('value')) return false;
  // Several documents, one on each line
  if (!container && output.parts.length > 0 && !work.is_spaced) emit(output, '\n');
  const sensitivity = container?.kind === 'object' ? context.sensitivityOf(container.name) : null;
  if (container?.kind === 'object') noticeMember(container, output.parts.length);
  else if (container) noticeElement(container, output.parts.length);
  if (sensitivity) emit(output, sensitive(sensitivity));
  else if (container?.follows_header && typeof plain === 'function') emit(output, QUOTED_REDACTED);
  else emit(output, typeof plain === 'function' ? plain() : plain);
  if (container) {
    container.expects = 'comma or end';
    container.follows_header = false;
  }
  return true;
}

const isNaming = (name: string) => /^(?:name|key|field|header|param|parameter|property|attribute|id)$/i.test(name);
const isValue = (name: string) => /^(?:value|val|content|data|text|values?)$/i.test(name);
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-auth-token|x-amz-security-token)$/i;

function noticeMember(container: Container, part: number): void {
  if (isValue(container.name)) container.named_value ??= part;
  if (/^(?:d|p|q|dp|dq|qi|k)$/.test(container.name)) container.private_members.push(part);
  if (container.name === 'kty') container.is_jwk = true;
}

function noticeElement(container: Container, part: number): void {
  if (container.pair_length === -1) return;
  container.pair_length += 1;
  container.named_value = container.pair_length === 2 ? part : null;
}

/** What a string says about the values beside it. */
function notice({ context }: Work, container: Container, text: string): void {
  const isName = text.length <= 128 && context.sensitivityOf(text)?.text === true;
  if (container.kind === 'array') {
    container.follows_header = headerName.test(text);
    if (container.pair_length === 1) container.is_named = isName;
  } else if (isNaming(container.name) && isName) container.is_named = true;
}

/** When all members of an object are known, those that the others make sensitive are replaced. Only values of one part are. */
function finish({ parts }: Output, { is_named, named_value, is_jwk, private_members }: Container): void {
  const places = [...(is_named && named_value !== null ? [named_value] : []), ...(is_jwk ? private_members : [])];
  for (const place of places) if (isScalar(parts[place])) parts[place] = QUOTED_REDACTED;
}

const isScalar = (part: string | undefined) => part !== undefined && /^["\d-]/.test(part);

/** How deep the outermost object is of which a later member may say that an earlier value is a credential. */
function depthOfUnnamed({ containers, output: { parts } }: Work): number {
  const index = containers.findIndex(
    ({ named_value, private_members }) =>
      (named_value !== null && isScalar(parts[named_value])) || private_members.length > 0,
  );
  return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
}

function emit(output: Output, part: string): void {
  output.parts.push(part);
  output.length += part.length;
}

/** As much of a cut string as can be read: an escape may be cut too. */
function parsedBeginning(string: string): string | undefined {
  for (let end = string.length; end >= Math.max(1, string.length - 6); end -= 1) {
    const text = parsed(`${string.slice(0, end)}"`);
    if (text !== undefined) return text;
  }
  return undefined;
}

function parsed(string: string): string | undefined {
  if (plain.test(string)) return string.slice(1, -1);
  try {
    return JSON.parse(string) as string;
  } catch {
    return undefined;
  }
}
