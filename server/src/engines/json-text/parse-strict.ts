// Strict JSON for untrusted input: valid UTF-8, no duplicate member names, bounded depth and size, no prototype pollution.
// JSON.parse makes the value; a scan of the text before it and a walk of the value after it find what JSON.parse accepts.

import { isAscii, isUtf8 } from 'node:buffer';

export type JsonProblemKind = 'syntax' | 'utf8' | 'duplicate' | 'depth' | 'size' | 'prototype';

/** Contains none of the text's values, so it may be logged. */
export class JsonProblem extends Error {
  readonly kind: JsonProblemKind;
  /** Position in UTF-16 code units, if known. */
  readonly offset: number | undefined;
  /** The name of the invalid member, if known. */
  readonly member: string | undefined;

  constructor(kind: JsonProblemKind, where: { offset?: number | undefined; member?: string } = {}) {
    super(messages[kind]);
    this.kind = kind;
    this.offset = where.offset;
    this.member = where.member;
  }
}

const messages: Record<JsonProblemKind, string> = {
  syntax: 'is not valid JSON',
  utf8: 'is not valid UTF-8',
  duplicate: 'has the same field twice in one object',
  depth: 'is nested too deep',
  size: 'has too many fields or elements',
  prototype: 'has a field that would change a prototype',
};

/** Parsing a member takes about 1 µs, a list item a tenth of that: a text within the default limits takes less than 50 ms. */
export type JsonLimits = {
  max_depth: number;
  /** The total of all objects. */
  max_members?: number;
  /** The total at all levels. */
  max_values?: number;
};

const MAX_MEMBERS = 20_000;
const MAX_VALUES = 100_000;

export type ParseOptions = JsonLimits & { allow_duplicates?: boolean };

export function parseStrict(bytes: Buffer | string, { allow_duplicates = false, ...limits }: ParseOptions): unknown {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  const members = checkLimits(text, limits);
  const value = parse(text);
  // Each colon outside a string is one member. Fewer parsed members mean a duplicate name, however it is escaped.
  if (countMembers(value) !== members && !allow_duplicates) throw new JsonProblem('duplicate', findDuplicate(text));
  return value;
}

/** Most JSON is ASCII, and latin1 decodes it in half the time. */
function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new JsonProblem('utf8');
  return bytes.toString('utf8');
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/** Returns the number of members. Throws at the first exceeded limit, before anything is parsed. The text may be invalid JSON. */
export function checkLimits(text: string, limits: JsonLimits): number {
  const { max_depth, max_members = MAX_MEMBERS, max_values = MAX_VALUES } = limits;
  const refuse = (kind: 'depth' | 'size', at: number): never => {
    throw new JsonProblem(kind, { offset: at, ...outermostMember(text, at) });
  };
  let members = 0;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at + 1);
    else if (unit === colon) {
      if (++members > max_members) refuse('size', at);
    } else if (unit === comma) {
      if (++values > max_values) refuse('size', at);
    }
    // '[' is 0x5b and '{' is 0x7b, ']' is 0x5d and '}' is 0x7d: one bit apart.
    else if ((unit | 0x20) === 0x7b) {
      if (++depth > max_depth) refuse('depth', at);
      if (++values > max_values) refuse('size', at);
    } else if ((unit | 0x20) === 0x7d) depth--;
  }
  return members;
}

/** The member of the outermost object that contains this position. The text may be invalid JSON. */
function outermostMember(text: string, position: number): { member?: string } {
  let depth = 0;
  let name: [number, number] | undefined;
  for (let at = 0; at < position; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      const end = endOfString(text, at + 1);
      if (depth === 1) name = [at, end + 1];
      at = end;
    } else if ((unit | 0x20) === 0x7b) depth++;
    else if ((unit | 0x20) === 0x7d) depth--;
  }
  return name && text.charCodeAt(0) !== 0x5b ? { member: parse(text.slice(...name)) as string } : {};
}

/** The closing quote of the string that starts here: the first one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text, which may hold a secret: only the position is kept.
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    throw new JsonProblem('syntax', { offset: position === undefined ? undefined : Number(position) });
  }
}

/** Counts the members of all objects. Recursion is bounded by max_depth. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') members += countMembers(item);
    return members;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    members++;
    if (name === '__proto__') throw new JsonProblem('prototype', { member: name });
    const member = object[name];
    if (typeof member === 'object' && member !== null) {
      if (name === 'constructor' && Object.hasOwn(member, 'prototype'))
        throw new JsonProblem('prototype', { member: name });
      members += countMembers(member);
    }
  }
  return members;
}

/** The name is only for the error message. Searching more members than this would cost more than parsing. */
const MAX_MEMBERS_SEARCHED = 10_000;

/** Requires valid JSON with a duplicate name. */
function findDuplicate(text: string): { offset?: number; member?: string } {
  const open: Set<string>[] = [];
  let searched = 0;
  for (const token of text.matchAll(/[{}]|("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    const [bracket, string = '', isName] = token;
    if (bracket === '{') open.push(new Set());
    else if (bracket === '}') open.pop();
    else if (isName) {
      if (++searched > MAX_MEMBERS_SEARCHED) break;
      const member: string = JSON.parse(string);
      if (open.at(-1)?.has(member)) return { offset: token.index, member };
      open.at(-1)?.add(member);
    }
  }
  return {};
}
