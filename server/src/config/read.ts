// Reads the value of every setting from the environment, from the file that `<NAME>_FILE` names, or its default. An empty or blank variable
// counts as not set.

import { readFileSync } from 'node:fs';
import { type SettingName, type SettingValues, settingRows, settings } from './table.ts';
import { findUnknownSettings } from './unknown.ts';

export type Environment = Record<string, string | undefined>;

export type Settings = {
  values: SettingValues;
  /** All problems together, each begins with the name of the variable. The values are unusable then. */
  problems: string[];
  /** Whether the operator set it, in a variable or in a file. */
  isSet(name: keyof SettingValues): boolean;
};

export function readSettings(environment: Environment): Settings {
  const problems = findUnknownSettings(environment);
  const given = new Map(settingRows.map(([name]) => [name, readText(environment, name, problems)]));
  const values = settingRows.map(([name, { fallback, parse }]) => {
    const text = given.get(name) || fallback;
    return [name, text === null ? null : parse(text, (problem) => problems.push(`${name} ${problem}`))];
  });
  return {
    values: Object.fromEntries(values) as SettingValues,
    problems,
    isSet: (name) => Boolean(given.get(name)),
  };
}

/** One setting by itself. */
export function readSetting<Name extends SettingName>(environment: Environment, name: Name) {
  const problems: string[] = [];
  const { fallback, parse } = settings[name];
  const text = readText(environment, name, problems) || fallback;
  const value = text === null ? null : parse(text, (problem) => problems.push(`${name} ${problem}`));
  return { value: value as SettingValues[Name], problems };
}

/** Secrets of Docker and Kubernetes are files: a variable is visible to everybody who may inspect the container. */
function readText(environment: Environment, name: string, problems: string[]): string | undefined {
  const text = environment[name]?.trim();
  const file = environment[`${name}_FILE`]?.trim();
  if (!file) return text;
  if (text) problems.push(`${name} and ${name}_FILE are both set: unset one of them`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    return undefined;
  }
}
