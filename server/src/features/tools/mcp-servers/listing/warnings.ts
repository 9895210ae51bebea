// What a person should look at before a definition of an MCP server is approved. The server may be hostile: its text is read by models.

import { contradicts } from '@toolgate/contract/custom-tools/hints.ts';
import { hasHidden, isPlain } from '@toolgate/contract/hidden-characters.ts';
import { foldText, lookAlikesIn } from '@toolgate/contract/look-alikes.ts';
import { escapePointer, suspiciousTexts } from '@toolgate/contract/mcp-servers/definition-text.ts';
import type { DefinitionWarning } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import type { WarningCode } from '@toolgate/contract/mcp-servers/rules.ts';
import { VIEW_PIN } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { definitionProblems, hintsOf, viewOf } from '../upstream-definition.ts';

const MAX_WARNINGS = 50;
const MAX_DESCRIPTION = 2_000;
const MAX_PATH_LENGTH = 1_024;

const WORD = /[A-Za-z0-9_-]{3,64}/g;

/** `names` are those of all tools of the project, `own` the one that this tool gets. */
export function findWarnings(
  definition: Record<string, unknown>,
  names: ReadonlySet<string>,
  own: string,
): DefinitionWarning[] {
  const warnings: DefinitionWarning[] = [];
  const add = (code: WarningCode, path: string) => {
    if (warnings.length < MAX_WARNINGS) warnings.push({ code, path: shortened(path) });
  };
  for (const { code, path } of definitionProblems(definition)) add(code, path);
  if (viewOf(definition)?.problem) add('view_not_supported', `/_meta/${escapePointer(VIEW_PIN)}/problem`);
  if (contradicts(hintsOf(definition))) add('contradicting_hints', '/annotations');
  if (typeof definition.description === 'string' && definition.description.length > MAX_DESCRIPTION)
    add('long_description', '/description');
  for (const [path, written] of textsIn(definition, '')) {
    if (warnings.length === MAX_WARNINGS) break;
    if (hasHidden(written)) add('invisible_characters', path);
    if (lookAlikesIn(written).length > 0) add('look_alike_letters', path);
    const text = foldText(written);
    if (suspiciousTexts.addresses_model.test(text)) add('addresses_model', path);
    if (suspiciousTexts.base64.test(text)) add('base64', path);
    const isOther = (word: string) => word !== own && names.has(word);
    if (path !== '/name' && (text.match(WORD) ?? []).some(isOther)) add('names_other_tool', path);
  }
  return warnings;
}

/** Names of properties may be long: then it is the place around them. */
function shortened(path: string): string {
  let short = path;
  while (short.length > MAX_PATH_LENGTH) short = short.slice(0, short.lastIndexOf('/'));
  return short;
}

/** All strings, and names of properties that are not plain: a model reads those of a schema. */
function* textsIn(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value)) {
    const at = `${path}/${escapePointer(name)}`;
    if (!Array.isArray(value) && !isPlain(name)) yield [at, name];
    yield* textsIn(inside, at);
  }
}
