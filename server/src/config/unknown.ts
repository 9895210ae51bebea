// Finds variables that look like a setting but are not, and suggests the nearest one.

import { clientVariables, settingRows } from './table.ts';

const PREFIX = 'TOOLGATE_';
const names = settingRows.map(([name]) => name);
const known = new Set([...names.flatMap((name) => [name, `${name}_FILE`]), ...clientVariables]);

/** One problem for each unknown variable. Its value is not shown: it may be a secret. */
export function findUnknownSettings(environment: Record<string, string | undefined>): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && !known.has(name))
    .filter(([name, value = '']) => !isSetByKubernetes(name, value))
    .map(([name]) => {
      const nearest = nearestSetting(name);
      return `${name} is not a setting: ${nearest ? `did you mean ${nearest}?` : 'npx toolgate start --help lists all'}`;
    });
}

/**
 * Kubernetes sets variables for every Service whose name starts with "toolgate". A name that ends in PORT can be a mistyped
 * setting too, so its value must be the URL that Kubernetes writes.
 */
function isSetByKubernetes(name: string, value: string): boolean {
  return (
    /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
    (name.endsWith('_PORT') && /^\w+:\/\//.test(value))
  );
}

/** The prefix is not compared: TOOLGATE_PORT is near to PORT. */
function nearestSetting(name: string): string | null {
  const given = name.slice(PREFIX.length);
  let nearest: string | null = null;
  let least = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(given, candidate.replace(PREFIX, ''));
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Levenshtein: how many characters must be inserted, deleted or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] as number) + 1;
      const deleted = (previous[column] as number) + 1;
      current.push(Math.min(replaced, inserted, deleted));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
