// Paths into a response: `items[].id`, `data.**._links`, `*`. No expressions: each step is a name, `*`, `**` or `[]`. Without zod: the
// dashboard ships it to browsers.

export type PathStep = { kind: 'member'; name: string } | { kind: 'any' } | { kind: 'item' } | { kind: 'deep' };

export type ResponsePath = readonly PathStep[];

/** For a path: names, `*`, `**` and `[]` count alike. */
export const MAX_PATH_DEPTH = 16;
export const MAX_PATH_LENGTH = 512;
/** For all lists of a `response` together. */
export const MAX_PATHS = 100;

/** Each makes more combinations of steps that a place in a response may be at. */
export const MAX_DEEP_PATHS = 10;
export const MAX_DEEP_STEPS = 2;

export const deepSteps = (path: ResponsePath) => path.filter(({ kind }) => kind === 'deep').length;

/** The response itself, where only a list can be named. */
export const ROOT_PATH = '.';

export const detectorNames = ['@email', '@card', '@iban', '@token'] as const;

export type DetectorName = (typeof detectorNames)[number];

export const isDetector = (text: string): text is DetectorName => (detectorNames as readonly string[]).includes(text);

const RULE = 'must be a path such as items[].id, data.**._links or *';
/** A name, up to a dot or bracket; a backslash takes the next character as it is. */
const SEGMENT = /(?:[^.[\]\\]|\\.)+/uy;

/** Returns the steps, or why the text is not a path. */
export function parsePath(text: string): ResponsePath | string {
  if (text.length > MAX_PATH_LENGTH) return `must have at most ${MAX_PATH_LENGTH} characters`;
  const steps: PathStep[] = [];
  let at = 0;
  let isStart = true;
  while (at < text.length) {
    if (text.startsWith('[]', at)) {
      steps.push({ kind: 'item' });
      at += 2;
    } else {
      // After a name or `[]` there is a dot; a path begins without one.
      if (!isStart && text[at] !== '.') return RULE;
      SEGMENT.lastIndex = isStart ? at : at + 1;
      const [segment] = SEGMENT.exec(text) ?? [];
      const step = segment === undefined ? null : stepOf(segment);
      if (step === null) return RULE;
      steps.push(step);
      at = SEGMENT.lastIndex;
    }
    isStart = false;
  }
  if (steps.length === 0) return RULE;
  return steps.length > MAX_PATH_DEPTH ? `must have at most ${MAX_PATH_DEPTH} steps` : steps;
}

function stepOf(segment: string): PathStep | null {
  if (segment === '*') return { kind: 'any' };
  if (segment === '**') return { kind: 'deep' };
  if (/^(?:[^\\*]|\\.)+$/u.test(segment)) return { kind: 'member', name: segment.replace(/\\(.)/gu, '$1') };
  return null;
}

/** As it is written in a path. */
export const escapeName = (name: string) => name.replace(/[.[\]*\\]/g, '\\$&');
