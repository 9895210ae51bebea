// The tags of a tool. They are no part of its definition, so saving them makes no new version.

import { MAX_TOOL_TAGS, TOOL_TAG, TOOL_TAG_RULE } from '@toolgate/contract/toolsets/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { useAccess } from '../../api/session.ts';
import { WordsField } from '../../ui/forms/words-field.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { cardClass } from '../../ui/section.tsx';
import { TOOLSET_RESOURCES, useToolsets } from '../tool-access/toolsets.ts';

export function ToolTags({ tool: { id, tags } }: { tool: CustomTool }) {
  const reason = useAccess().reason('write');
  const toolsets = useToolsets();
  const { mutate, isPending, variables } = useProjectChange<string[]>({
    change: (toolgate, wanted) => toolgate.customTools.update(id, { tags: wanted }),
    invalidates: ['custom-tools', ...TOOLSET_RESOURCES],
    done: (_, wanted) => (wanted.length > 0 ? `The tags are now ${wanted.join(', ')}` : 'The tool has no tags now'),
  });
  const inUse = [...new Set(toolsets?.flatMap((toolset) => toolset.tags))].sort();
  return (
    <div className={`${cardClass} p-4`}>
      <WordsField
        label="Tags"
        one="tag"
        hint={reason ?? 'Toolsets with one of these tags contain the tool. Changes are saved immediately.'}
        value={isPending ? variables : tags}
        onChange={mutate}
        suggestions={inUse}
        most={MAX_TOOL_TAGS}
        problemOf={(tag) => (TOOL_TAG.test(tag) ? null : `A tag ${TOOL_TAG_RULE}`)}
        disabled={reason !== undefined || isPending}
      />
    </div>
  );
}
