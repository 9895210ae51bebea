// A response rule, compiled once: its paths, its detectors and its budget; and the schema of what it leaves.

import {
  type DetectorName,
  isDetector,
  parsePath,
  type ResponsePath,
  ROOT_PATH,
} from '@toolgate/contract/custom-tools/response-paths.ts';
import type { SchemaObject } from '../engines/json-schema/keywords.ts';
import { textToBytes } from '../engines/json-text/scan.ts';
import { compilePaths, type PathRules, type State } from './automaton.ts';
import { type Detectors, detectorsOf } from './detectors.ts';
import { projectSchema } from './project-schema.ts';

/** As it is saved. */
export type ResponseRule = {
  select?: readonly string[] | undefined;
  drop?: readonly string[] | undefined;
  max_items?: Readonly<Record<string, number>> | undefined;
  max_tokens?: number | null | undefined;
  next_page?: { cursor: string; argument: string } | null | undefined;
  redact?: readonly string[] | undefined;
};

export type CompiledRule = Detectors & {
  /** For names as they are in the bytes of a document. */
  root: State;
  max_bytes: number;
  has_budget: boolean;
  /** The names that lead to the cursor of the next page, and the argument that takes it. */
  next_page: { names: readonly string[]; argument: string } | null;
  /** Paths select, drop or redact something: what is not JSON cannot be shaped. */
  needs_json: boolean;
};

/** A token is estimated as 4 bytes. */
const BYTES_PER_TOKEN = 4;

export const estimateTokens = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);

export function compileRule(rule: ResponseRule): CompiledRule {
  const { max_tokens, next_page } = rule;
  const rules = pathsOf(rule);
  return {
    root: compilePaths(rules, textToBytes),
    ...detectorsOf(detectorsIn(rule)),
    max_bytes: max_tokens ? max_tokens * BYTES_PER_TOKEN : Number.POSITIVE_INFINITY,
    has_budget: Boolean(max_tokens),
    next_page: next_page ? { names: namesIn(toPath(next_page.cursor)), argument: next_page.argument } : null,
    needs_json: rules.select.length + rules.drop.length + rules.redact.length > 0,
  };
}

/** May throw NotProjectable. */
export function projectOutput(schema: SchemaObject, rule: ResponseRule): SchemaObject {
  const { redact, isSecretNumber } = detectorsOf(detectorsIn(rule));
  const has_budget = Boolean(rule.max_tokens);
  return projectSchema(schema, { root: compilePaths(pathsOf(rule)), redact, isSecretNumber, has_budget });
}

const detectorsIn = ({ redact = [] }: ResponseRule): DetectorName[] => redact.filter(isDetector);

function pathsOf({ select = [], drop = [], max_items = {}, redact = [] }: ResponseRule): PathRules {
  return {
    select: select.map(toPath),
    drop: drop.map(toPath),
    redact: redact.filter((text) => !isDetector(text)).map(toPath),
    max_items: Object.entries(max_items).map(([text, count]) => ({ path: toPath(text), count })),
  };
}

/** For a text that was checked when it was saved. */
export function toPath(text: string): ResponsePath {
  if (text === ROOT_PATH) return [];
  const path = parsePath(text);
  if (typeof path === 'string') throw new Error(`A saved path ${path}`);
  return path;
}

const namesIn = (path: ResponsePath) => path.flatMap((step) => (step.kind === 'member' ? [step.name] : []));
