// Reads what is deployed with: YAML files of the project, and the names of settings.

import { load } from 'js-yaml';
import { nodeVariables, settingRows } from '../../src/config/table.ts';
import { readPage } from '../support/markdown.ts';

export const readYaml = (file: string): any => load(readPage(file));

/** Read by the server; REDIS_URL and NODE_ENV by what it runs on. */
const others = ['REDIS_URL', 'NODE_ENV', ...Object.keys(nodeVariables)];

export function isSetting(name: string): boolean {
  const names = [...settingRows.map(([setting]) => setting), ...others];
  return names.some((setting) => name === setting || name === `${setting}_FILE`);
}

/** `75s` or a number of seconds. */
export const secondsOf = (duration: string | number) => Number(String(duration).replace(/s$/, ''));
