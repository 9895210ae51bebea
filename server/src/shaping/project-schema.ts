// The schema of what is left of a value: if a value is valid for a schema, what shapeJson() and cutToBudget() make of it is valid for
// the projected schema. Where that cannot be said exactly, the projected schema allows more, never less.

import { isObject, resolvePointer, type Schema, type SchemaObject } from '../engines/json-schema/keywords.ts';
import type { State } from './automaton.ts';
import type { Detectors } from './detectors.ts';
import { projectList, projectMembers } from './project-containers.ts';
import { projectScalars, projectType } from './project-scalars.ts';

export type Projection = Pick<Detectors, 'redact' | 'isSecretNumber'> & {
  /** With names as they are in the schema. */
  root: State;
  /** Long texts and lists may be cut. */
  has_budget: boolean;
};

/** As many as a schema may have that is saved. */
const MAX_NODES = 1_000;

/** Thrown if the projected schema has too many parts. */
export class NotProjectable extends Error {}

export type Node = Projection & {
  schema: SchemaObject;
  state: State;
  /** Nothing in the value changes. */
  is_untouched: boolean;
  project(schema: unknown, state: State): Schema;
  /** The schema itself, or what it refers to. */
  resolve(schema: unknown): Schema | undefined;
};

/** The root stays an object. */
export function projectSchema(schema: SchemaObject, projection: Projection): SchemaObject {
  const definitions = new Map<Schema, Map<State, string>>();
  const $defs: Record<string, Schema> = {};
  let nodes = 0;

  /** What a reference points to, projected once for each state in which it is reached. */
  const refer = (pointer: string, state: State): string => {
    const target = resolvePointer(schema, pointer) ?? true;
    const known = definitions.get(target) ?? new Map<State, string>();
    definitions.set(target, known);
    const name = known.get(state) ?? `d${Object.keys($defs).length + 1}`;
    if (!known.has(state)) {
      known.set(state, name);
      $defs[name] = true;
      $defs[name] = project(target, state);
    }
    return `#/$defs/${name}`;
  };

  const resolve = (given: unknown): Schema | undefined => {
    let at = given;
    for (let left = MAX_NODES; left > 0 && isObject(at) && typeof at.$ref === 'string'; left -= 1)
      at = resolvePointer(schema, at.$ref);
    return isObject(at) || typeof at === 'boolean' ? at : undefined;
  };

  const project = (given: unknown, state: State): Schema => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new NotProjectable();
    if (!isObject(given)) return given !== false;
    const { title, description } = given;
    const words = Object.fromEntries(Object.entries({ title, description }).filter(([, text]) => text !== undefined));
    if (state.is_redacted) return { type: 'string', ...words };
    const is_whole = state.is_plain && state.max_items === Number.POSITIVE_INFINITY;
    const is_untouched = is_whole && projection.redact === null && !projection.has_budget;
    const node: Node = { ...projection, schema: given, state, is_untouched, project, resolve };
    return {
      ...projectType(node),
      ...words,
      ...(typeof given.$ref === 'string' ? { $ref: refer(given.$ref, state) } : {}),
      ...projectScalars(node),
      ...projectMembers(node),
      ...projectList(node),
      ...projectCombinations(node),
    };
  };

  const made = project(schema, projection.root) as SchemaObject;
  const { $schema } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    ...made,
    type: 'object',
    ...(definitions.size > 0 ? { $defs } : {}),
  };
}

/** A value that matched one of several schemas may match more of them now, and a condition may no longer hold. */
function projectCombinations({ schema, state, is_untouched, project }: Node): SchemaObject {
  const list = (given: unknown) => (Array.isArray(given) ? given.map((each) => project(each, state)) : null);
  const made: SchemaObject = {};
  const [all, any, one] = [list(schema.allOf), list(schema.anyOf), list(schema.oneOf)];
  if (any) made.anyOf = any;
  if (one && is_untouched) made.oneOf = one;
  const joined = [...(all ?? []), ...(one && !is_untouched ? [{ anyOf: one }] : [])];
  if (joined.length > 0) made.allOf = joined;
  if (is_untouched)
    for (const keyword of ['not', 'if', 'then', 'else'])
      if (schema[keyword] !== undefined) made[keyword] = project(schema[keyword], state);
  return made;
}
