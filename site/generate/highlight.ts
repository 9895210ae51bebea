// Code with its syntax marked by classes: the policy of the pages allows no style attributes.

import { createRequire } from 'node:module';
import { escapeText } from './escape.ts';

type Highlighter = {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string }): { value: string };
};

/** Its own types need those of a browser, which would then be known in the whole server. */
const hljs: Highlighter = createRequire(import.meta.url)('highlight.js/lib/common');

/** `name`: the first word after the fence, or the ending of a file. A language that is not known stays plain. */
export function highlight(code: string, name: string): string {
  if (hljs.getLanguage(name) === undefined) return escapeText(code);
  return hljs.highlight(code, { language: name }).value;
}
