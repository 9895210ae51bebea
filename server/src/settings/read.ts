// Reads the value of every setting from the environment, or its default. An empty or blank variable counts as not set.

import { type SettingValues, settingRows } from './table.ts';
import { findUnknownSettings } from './unknown.ts';

export type Environment = Record<string, string | undefined>;

/** Returns all problems together, each begins with the name of the variable. Their values are unusable then. */
export function readSettings(environment: Environment): { values: SettingValues; problems: string[] } {
  const problems = findUnknownSettings(environment);
  const values = settingRows.map(([name, { fallback, parse }]) => {
    const text = environment[name]?.trim() || fallback;
    return [name, text === null ? null : parse(text, (problem) => problems.push(`${name} ${problem}`))];
  });
  return { values: Object.fromEntries(values) as SettingValues, problems };
}
