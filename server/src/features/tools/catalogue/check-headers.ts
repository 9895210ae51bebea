// Checks the `headers` of a tool before it is saved: fixed values, and values that take arguments.

import { headerNameProblem, headerValueProblem } from '@toolgate/contract/custom-tools/header-rules.ts';
import { hasPlaceholder, headerTemplateProblem } from '@toolgate/contract/custom-tools/header-template.ts';
import { invalidField } from '../../../errors/errors.ts';

const MAX_HEADERS = 32;

export function checkHeaders(headers: Record<string, string>): void {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) throw invalidField('headers', `must be at most ${MAX_HEADERS}`);
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const reason = headerProblem(lower, headers[name] as string) ?? (seen.has(lower) ? 'is listed twice' : null);
    if (reason !== null) throw invalidField(`headers.${name.slice(0, 128)}`, reason);
    seen.add(lower);
  }
}

function headerProblem(name: string, value: string): string | null {
  const isTemplate = hasPlaceholder(value);
  // Cookies may be arguments. A fixed one would be a credential beside auth_strategy.
  const problem = isTemplate && name === 'cookie' ? null : headerNameProblem(name);
  if (problem !== null) return problem;
  if (name === 'authorization') return 'is set by auth_strategy';
  return isTemplate ? headerTemplateProblem(name, value) : headerValueProblem(value);
}
