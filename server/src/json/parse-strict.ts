// JSON as a security boundary needs it: strict UTF-8, no repeated member names, bounded depth and number of parts, nothing that reaches a prototype.
// The value comes from JSON.parse; one scan of the text beforehand and one walk of the value afterwards find what it lets through.

import { isAscii, isUtf8 } from 'node:buffer';

export type JsonProblemKind = 'syntax' | 'utf8' | 'duplicate' | 'depth' | 'size' | 'prototype';

/** What is wrong with a JSON text. Holds nothing of its values, so it may be logged. */
export class JsonProblem extends Error {
  readonly kind: JsonProblemKind;
  /** Where in the text, in UTF-16 units from its start, if known. */
  readonly offset: number | undefined;
  /** The member name to blame, if one is. */
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
  duplicate: 'has the same member twice in one object',
  depth: 'is nested too deep',
  size: 'has too many members or elements',
  prototype: 'has a member that would reach a prototype',
};

/** A member of an object costs some 1 µs to parse, a value in a list a tenth of that: a text within these takes less than 50 ms. */
export type JsonLimits = {
  max_depth: number;
  /** Of all objects together. */
  max_members?: number;
  /** All values, at any level. */
  max_values?: number;
};

const MAX_MEMBERS = 20_000;
const MAX_VALUES = 100_000;

export type ParseOptions = JsonLimits & { allow_duplicates?: boolean };

export function parseStrict(bytes: Buffer | string, { allow_duplicates = false, ...limits }: ParseOptions): unknown {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  const members = checkLimits(text, limits);
  const value = parse(text);
  // Every colon outside a string is one member; an object keeps fewer only where a name came twice, however it was escaped.
  if (countMembers(value) !== members && !allow_duplicates) throw new JsonProblem('duplicate', findDuplicate(text));
  return value;
}

/** Most JSON is ASCII, which is decoded in half the time. */
function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new JsonProblem('utf8');
  return bytes.toString('utf8');
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/** Throws before anything is parsed, with the first thing that is too much. Answers the number of members. The text need not be JSON. */
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

/** The member of the outermost object that this place is in. The text need not be JSON. */
function outermostMember(text: string, place: number): { member?: string } {
  let depth = 0;
  let name: [number, number] | undefined;
  for (let at = 0; at < place; at++) {
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

/** Members of all objects in the value, which is at most max_depth deep. */
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

/** To name it is a courtesy: nobody mends by hand what has more members than this, and looking further costs more than parsing. */
const MEMBERS_SEARCHED = 10_000;

/** Only for text already known to be JSON with a repeated name. */
function findDuplicate(text: string): { offset?: number; member?: string } {
  const open: Set<string>[] = [];
  let searched = 0;
  for (const token of text.matchAll(/[{}]|("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    const [bracket, string = '', isName] = token;
    if (bracket === '{') open.push(new Set());
    else if (bracket === '}') open.pop();
    else if (isName) {
      if (++searched > MEMBERS_SEARCHED) break;
      const member: string = JSON.parse(string);
      if (open.at(-1)?.has(member)) return { offset: token.index, member };
      open.at(-1)?.add(member);
    }
  }
  return {};
}
