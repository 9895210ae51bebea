// Regular expressions of schemas, on an engine (RE2) that takes linear time whatever the pattern.

import { RE2JS } from 're2js';
import { spend } from './work-meter.ts';

export type Pattern = { test(text: string): boolean; toString(): string };

/** Takes the place of RegExp in compiled schemas. The price of a character grows with the pattern. */
export function regExp(source: string): Pattern {
  let compiled: RE2JS | undefined;
  return {
    test(text) {
      compiled ??= compilePattern(source);
      spend(text.length * (4 + (compiled.programSize() >> 1)));
      return compiled.test(text);
    },
    // Ajv takes two patterns for the same one when their text is the same.
    toString: () => source,
  };
}
regExp.code = 'runtime.regExp';

/** Throws where RE2 has no such thing: look-around, back-references, repeats over 1,000. */
export function compilePattern(source: string): RE2JS {
  return RE2JS.compile(withJavaScriptClasses(RE2JS.translateRegExp(source)));
}

const line_ends = '\\n\\r\\x{2028}\\x{2029}';
const spaces =
  '\\x09-\\x0d\\x20\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const all_but_spaces = [
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}',
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}',
].join('');

/** In RE2 `\s` is ASCII only, and `.` is all but a line feed. */
function withJavaScriptClasses(pattern: string): string {
  const isDotAll = /\(\?[a-zA-Z]*s/.test(pattern);
  let isInClass = false;
  return pattern.replace(/\\Q.*?(?:\\E|$)|\\.|\[:\^?\w+:\]|[[\].]/gs, (token) => {
    if (token === '[') isInClass = true;
    else if (token === ']') isInClass = false;
    else if (token === '.' && !isInClass && !isDotAll) return `[^${line_ends}]`;
    else if (token === '\\s') return isInClass ? spaces : `[${spaces}]`;
    else if (token === '\\S') return isInClass ? all_but_spaces : `[^${spaces}]`;
    return token;
  });
}
