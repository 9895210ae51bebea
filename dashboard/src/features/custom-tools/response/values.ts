// `response` of a tool as the values of its form, and back. Numbers are text there, and detectors are apart from paths.

import {
  type DetectorName,
  deepSteps,
  detectorNames,
  isDetector,
  MAX_DEEP_STEPS,
  parsePath,
  ROOT_PATH,
} from '@toolgate/contract/custom-tools/response-paths.ts';
import type { CustomTool } from '@toolgate/sdk';
import * as z from 'zod/mini';
import type { Difference } from '../../../ui/forms/save-bar.tsx';

export type ToolResponse = NonNullable<CustomTool['response']>;

const wholeNumber = z.string().check(z.regex(/^[1-9]\d*$/, 'Enter a whole number from 1'));
const paths = z.array(z.string());

export const responseSchema = z.object({
  response: z.object({
    select: paths,
    drop: paths,
    max_items: z
      .array(z.object({ name: z.string().check(z.refine(isListPath, 'Enter the path of a list')), value: wholeNumber }))
      .check(
        z.refine((rows) => new Set(rows.map(({ name }) => name)).size === rows.length, 'Enter each list only once'),
      ),
    redact: paths,
    detectors: z.array(z.enum(detectorNames)),
    max_tokens: z.union([z.literal(''), wholeNumber]),
    next_page: z.object({ cursor: z.string().check(z.trim()), argument: z.string().check(z.trim()) }),
  }),
});

export type ResponseValues = z.infer<typeof responseSchema>;
type Part = keyof ResponseValues['response'];

export function valuesOf(response: CustomTool['response']): ResponseValues {
  const { select = [], drop = [], max_items = {}, redact = [], max_tokens, next_page } = response ?? {};
  return {
    response: {
      select: [...select],
      drop: [...drop],
      max_items: Object.entries(max_items).map(([name, value]) => ({ name, value: String(value) })),
      redact: redact.filter((path) => !isDetector(path)),
      detectors: redact.filter(isDetector),
      max_tokens: max_tokens ? String(max_tokens) : '',
      next_page: { cursor: next_page?.cursor ?? '', argument: next_page?.argument ?? '' },
    },
  };
}

/** Null if nothing is set. Half of `next_page` is sent: the API says what is missing. */
export function responseOf({ response }: ResponseValues): ToolResponse | null {
  const { select, drop, max_items, redact, detectors, max_tokens, next_page } = response;
  const replaced: string[] = [...detectorNames.filter((name) => detectors.includes(name)), ...redact];
  const made: ToolResponse = {
    ...(select.length > 0 && { select }),
    ...(drop.length > 0 && { drop }),
    ...(max_items.length > 0 && {
      max_items: Object.fromEntries(max_items.map(({ name, value }) => [name, Number(value)])),
    }),
    ...(max_tokens !== '' && { max_tokens: Number(max_tokens) }),
    ...((next_page.cursor !== '' || next_page.argument !== '') && { next_page }),
    ...(replaced.length > 0 && { redact: replaced }),
  };
  return Object.keys(made).length > 0 ? made : null;
}

/** Why a text is not a path; null if it is one. */
export function pathProblem(text: string): string | null {
  const parsed = parsePath(text);
  if (typeof parsed === 'string') return `A path ${parsed}`;
  return deepSteps(parsed) > MAX_DEEP_STEPS ? `A path has ** at most ${MAX_DEEP_STEPS} times` : null;
}

/** In `redact` a path that begins with @ would be taken for a detector. */
export const redactProblem = (text: string) =>
  text.startsWith('@')
    ? 'Choose a detector below, or write \\@ for a field whose name starts with @'
    : pathProblem(text);

function isListPath(text: string): boolean {
  return text === ROOT_PATH || (text !== '' && pathProblem(text) === null);
}

const labels: Record<Part, string> = {
  select: 'Select',
  drop: 'Drop',
  max_items: 'List items',
  redact: 'Redact',
  detectors: 'Detectors',
  max_tokens: 'Maximum tokens',
  next_page: 'Next page',
};

export const detectorTexts: Record<DetectorName, [label: string, text: string]> = {
  '@email': ['Email addresses', '@email'],
  '@card': ['Card numbers', '@card'],
  '@iban': ['IBANs', '@iban'],
  '@token': ['Tokens and API keys', "@token: JWTs, toolgate's keys, and keys of well-known vendors"],
};

export function differences(before: ResponseValues, after: ResponseValues): Difference[] {
  return (Object.keys(labels) as Part[])
    .map((name) => ({
      name,
      label: labels[name],
      before: inWords(before.response, name),
      after: inWords(after.response, name),
    }))
    .filter((change) => change.before !== change.after);
}

function inWords(response: ResponseValues['response'], name: Part): string {
  if (name === 'max_items') return response.max_items.map((row) => `${row.name}: ${row.value}`).join(', ') || 'none';
  if (name === 'next_page') return Object.values(response.next_page).filter(Boolean).join(' → ') || 'none';
  if (name === 'max_tokens') return response.max_tokens || 'none';
  return response[name].join(', ') || 'none';
}
