// The fields of a toolset beside the table of tools: tags, OAuth, and what a model gets in its list.

import { MAX_PINNED_TOOLS, MAX_TOOLSET_TAGS, TOOL_TAG, TOOL_TAG_RULE } from '@toolgate/contract/toolsets/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { useController } from 'react-hook-form';
import { Switch, useFieldError } from '../../ui/forms/field.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { WordsField } from '../../ui/forms/words-field.tsx';
import { isMember, memberTest } from '../tool-access/membership.ts';
import type { ToolsetValues } from './edits.ts';
import { grantChoices } from './facts.tsx';

export function TagFields({ tools }: { tools: CustomTool[] }) {
  const tags = useController<ToolsetValues, 'tags'>({ name: 'tags' }).field;
  const counts = new Map<string, number>();
  for (const tag of tools.flatMap((tool) => tool.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return (
    <>
      <WordsField
        label="Tags"
        one="tag"
        hint="Every tool with one of these tags is in the toolset, including tools tagged later."
        value={tags.value}
        onChange={tags.onChange}
        suggestions={[...counts.keys()].sort()}
        most={MAX_TOOLSET_TAGS}
        problemOf={(tag) => (TOOL_TAG.test(tag) ? null : `A tag ${TOOL_TAG_RULE}`)}
        noteOf={(tag) => counts.get(tag) ?? 0}
        error={useFieldError('tags')}
      />
      <OnlyReadOnly />
    </>
  );
}

function OnlyReadOnly() {
  const { field } = useController<ToolsetValues, 'only'>({ name: 'only' });
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor="only" className="font-medium">
          Only read-only tools
        </label>
        <p id="only-hint" className="text-muted text-xs">
          Of these tagged and picked tools, only those with the read-only hint.
        </p>
      </div>
      <Switch
        id="only"
        aria-describedby="only-hint"
        className="mt-0.5"
        checked={field.value === 'read_only'}
        onChange={(event) => field.onChange(event.target.checked ? 'read_only' : null)}
      />
    </div>
  );
}

export function GrantField({ slug }: { slug: string }) {
  const { field } = useController<ToolsetValues, 'grant'>({ name: 'grant' });
  const scope = `tools:${slug}`;
  return (
    <RadioCards
      columns
      legend="For people who sign in by OAuth"
      hint={
        field.value === 'never' ? (
          'Whether an app can ask a person for these tools.'
        ) : (
          <>
            Apps ask for it with the scope <code>{scope}</code>.
          </>
        )
      }
      value={field.value}
      onChange={field.onChange}
      choices={grantChoices}
      error={useFieldError('grant')}
    />
  );
}

type ExposureProps = { tools: CustomTool[]; values: ToolsetValues };

export function ExposureFields({ tools, values }: ExposureProps) {
  const { field } = useController<ToolsetValues, 'exposure'>({ name: 'exposure' });
  return (
    <RadioCards
      legend="What a model gets"
      value={field.value}
      onChange={field.onChange}
      choices={[
        {
          value: 'list',
          label: 'The full list',
          description: 'All tools with their definitions. Best for short lists.',
        },
        {
          value: 'search',
          label: 'Search',
          description: 'Only search_tools, call_tool, and the tools that you pin. The model searches for the others.',
          content: <PinnedTools tools={tools} values={values} />,
        },
      ]}
      error={useFieldError('exposure')}
    />
  );
}

/** Tools are named here as models know them; the API has their ids. */
function PinnedTools({ tools, values }: ExposureProps) {
  const { field } = useController<ToolsetValues, 'pinned_tool_ids'>({ name: 'pinned_tool_ids' });
  const reasonOf = memberTest(values);
  const members = tools.filter((tool) => isMember(reasonOf(tool)));
  const byName = new Map(tools.map(({ name, id }) => [name, id]));
  const names = new Map(tools.map(({ name, id }) => [id, name]));
  const isIn = (name: string) => members.some((tool) => tool.name === name);
  return (
    <WordsField
      label="Pinned tools"
      one="tool"
      hint="Always listed. Pin the tools that a model needs in almost every conversation."
      value={field.value.map((id) => names.get(id) ?? id)}
      onChange={(chosen) => field.onChange(chosen.map((name) => byName.get(name) ?? name))}
      suggestions={members.map(({ name }) => name)}
      most={MAX_PINNED_TOOLS}
      problemOf={(name) =>
        isIn(name) || values.pinned_tool_ids.includes(name) ? null : `“${name}” is not in the toolset`
      }
      noteOf={(name) => !isIn(name) && 'not in the toolset'}
      error={useFieldError('pinned_tool_ids')}
    />
  );
}
