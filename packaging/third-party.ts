// THIRD-PARTY-LICENSES.txt: the packages whose code is part of the compiled files, with their versions and licenses.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The deepest folder of a package in a path. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

export function describePackages(modules: readonly string[]): string {
  const folders = new Set(modules.map((module) => PACKAGE.exec(module)?.[0]).filter((folder) => folder !== undefined));
  const texts = [...folders].map(describe).sort();
  return `The compiled files of toolgate contain code of these packages:\n\n${texts.join('\n')}`;
}

function describe(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICEN[SC]E,licen[sc]e,COPYING}*', { cwd: folder }).sort();
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return `== ${name} ${version} (${license})\n${text}`;
}
