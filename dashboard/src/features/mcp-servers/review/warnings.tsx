// What a person should look at before a definition is approved, in words, and where it is.

import type { WarningCode } from '@toolgate/contract/mcp-servers/rules.ts';
import type { PendingTool } from '@toolgate/sdk';
import { TriangleAlert } from 'lucide-react';
import { Name } from '../../../ui/name.tsx';

const texts: Record<WarningCode, string> = {
  invisible_characters: 'It has invisible characters, shown by their codes below.',
  look_alike_letters:
    "Some words use look-alike letters from another script, so they aren't the words that they seem to be.",
  names_other_tool: 'It mentions another tool of this project, and may change how models use that tool.',
  addresses_model: 'It tells the model what to do, with words such as “ignore”, “before using” or “do not tell”.',
  base64: "It has more than 200 characters that look encoded and can't be read.",
  long_description: 'The description is longer than 2,000 characters. Models get all of it.',
  contradicting_hints: 'It declares itself both read-only and destructive. It counts as destructive.',
  view_not_supported: 'The view that the server names is not used.',
  schema_not_supported: 'The schema is not valid, so the tool cannot be approved.',
  definition_not_supported: 'The definition is too large or not valid, so the tool cannot be approved.',
  storage_full:
    'The project has reached its storage limit for MCP server definitions. Reject others or delete a server, then sync again.',
};

type Warning = PendingTool['warnings'][number];

export const warningText = ({ code }: Warning) => texts[code];

/** All of a tool, before its definition. */
export function Warnings({ warnings }: { warnings: Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul aria-label="Warnings" className="grid gap-1 rounded-md bg-warning-soft px-3 py-2.5">
      {warnings.map((warning) => (
        <li key={`${warning.code} ${warning.path}`} className="flex min-w-0 gap-2">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
          <span className="min-w-0 break-words">
            {warningText(warning)}{' '}
            {warning.path !== '' && (
              <code className="break-all text-muted text-xs">
                <Name text={warning.path} />
              </code>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
