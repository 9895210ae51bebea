// What is left of the response of a tool: which parts, how much, and what is replaced.

import { z } from 'zod';
import { text } from '../fields.ts';
import {
  deepSteps,
  detectorNames,
  isDetector,
  MAX_DEEP_PATHS,
  MAX_DEEP_STEPS,
  MAX_PATH_LENGTH,
  MAX_PATHS,
  parsePath,
  ROOT_PATH,
} from './response-paths.ts';

const MAX_ITEMS = 100_000;
const MAX_TOKENS = 1_000_000;

/** `accepts`: what may stand in place of a path. */
const path = (accepts: (given: string) => boolean = () => false) =>
  text(1, MAX_PATH_LENGTH).superRefine((given, { addIssue }) => {
    const parsed = accepts(given) ? [] : parsePath(given);
    if (typeof parsed === 'string') addIssue({ code: 'custom', message: parsed });
    else if (deepSteps(parsed) > MAX_DEEP_STEPS)
      addIssue({ code: 'custom', message: `must have ** at most ${MAX_DEEP_STEPS} times` });
  });

const DETECTOR_RULE = `must be a path, or one of ${detectorNames.join(', ')}; write a field name that begins with @ with a backslash before it`;

const paths = z.array(path()).max(MAX_PATHS).optional();

const cursor = path().refine((given) => {
  const parsed = parsePath(given);
  return typeof parsed === 'string' || parsed.every(({ kind }) => kind === 'member');
}, 'must contain only names, as in meta.next_cursor');

const isDeep = (given: string) => {
  const parsed = parsePath(given);
  return typeof parsed !== 'string' && deepSteps(parsed) > 0;
};

export const toolResponse = z
  .strictObject({
    select: paths.meta({
      description: `Paths to keep; default: all. \`items[].id\`: this field of each item; \`*\`: any field; \`**\`: any number of levels, including through lists, at most ${MAX_DEEP_STEPS} times in a path and in at most ${MAX_DEEP_PATHS} paths of a tool. Write a backslash before a dot, bracket or \`*\` that is part of a name`,
      example: ['items[].id', 'items[].status'],
    }),
    drop: paths.meta({ description: 'Paths to remove from what is kept', example: ['**._links'] }),
    max_items: z
      .record(
        path((given) => given === ROOT_PATH),
        z.int().min(1).max(MAX_ITEMS),
      )
      .optional()
      .meta({
        description: "How many items to keep in a list, by the list's path; `.` is the response itself",
        example: { items: 50 },
      }),
    max_tokens: z.int().min(1).max(MAX_TOKENS).nullable().optional().meta({
      description:
        'The maximum size of a result, estimated as UTF-8 bytes / 4. Above it, the longest lists are cut from the end, and texts are cut to 1,000 characters',
    }),
    next_page: z
      .strictObject({
        cursor: cursor.meta({
          description: "Path of the next page's cursor in the response",
          example: 'meta.next',
        }),
        argument: text(1, 128).meta({ description: 'The argument that takes the cursor', example: 'cursor' }),
      })
      .nullable()
      .optional()
      .meta({ description: 'How a model gets the next page, even if the cursor itself is not kept' }),
    redact: z
      .array(path(isDetector).refine((given) => !given.startsWith('@') || isDetector(given), DETECTOR_RULE))
      .max(MAX_PATHS)
      .optional()
      .meta({
        description: `Paths whose values become \`"[redacted]"\`, or detectors that replace matches in any text or name, and card numbers that are JSON numbers: ${detectorNames.join(', ')}`,
        example: ['@email', 'items[].phone'],
      }),
  })
  .refine(
    ({ select = [], drop = [], redact = [], max_items = {} }) =>
      select.length + drop.length + redact.length + Object.keys(max_items).length <= MAX_PATHS,
    `must have at most ${MAX_PATHS} paths`,
  )
  .refine(
    ({ select = [], drop = [], redact = [], max_items = {} }) =>
      [...select, ...drop, ...redact, ...Object.keys(max_items)].filter(isDeep).length <= MAX_DEEP_PATHS,
    `must have at most ${MAX_DEEP_PATHS} paths with **`,
  )
  .meta({ id: 'ToolResponse' });

export type ToolResponse = z.infer<typeof toolResponse>;
