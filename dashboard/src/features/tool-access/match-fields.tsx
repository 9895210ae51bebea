// The part of a form that says which tools a limit or a hook applies to.

import { MAX_LIMIT_TAGS, MAX_LIMIT_TOOLS } from '@toolgate/contract/limits/rules.ts';
import { TOOL_TAG, TOOL_TAG_RULE } from '@toolgate/contract/toolsets/rules.ts';
import { useController } from 'react-hook-form';
import { SelectField, useFieldError } from '../../ui/forms/field.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { WordsField } from '../../ui/forms/words-field.tsx';
import type { MatchKind, MatchValues } from './match.ts';
import { useTools } from './tools.ts';
import { useToolsets } from './toolsets.ts';

export function AppliesTo() {
  const { field } = useController<MatchValues, 'applies_to'>({ name: 'applies_to' });
  return (
    <RadioCards<MatchKind>
      legend="Applies to"
      value={field.value}
      onChange={field.onChange}
      error={useFieldError('match')}
      choices={[
        { value: 'all', label: 'Every tool', description: 'Including tools added later.' },
        { value: 'tool_ids', label: 'Chosen tools', description: 'By name.', content: <ToolsField /> },
        {
          value: 'toolset',
          label: 'A toolset',
          description: 'Its tools, including tools added to it later.',
          content: <ToolsetField />,
        },
        {
          value: 'tags',
          label: 'Tags',
          description: 'Tools with one of these tags, including tools tagged later.',
          content: <TagsField />,
        },
      ]}
    />
  );
}

/** Tools are chosen by name, and sent by id. The id of a tool that is gone stays as it is. */
function ToolsField() {
  const { field } = useController<MatchValues, 'match.tool_ids'>({ name: 'match.tool_ids' });
  const tools = useTools();
  const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id;
  const idOf = (name: string) => tools.find((tool) => tool.name === name)?.id ?? name;
  return (
    <WordsField
      label="Tools"
      one="tool"
      value={field.value.map(nameOf)}
      onChange={(names) => field.onChange(names.map(idOf))}
      suggestions={tools.map(({ name }) => name)}
      most={MAX_LIMIT_TOOLS}
      problemOf={(name) => (tools.some((tool) => tool.name === name) ? null : `No tool is called ${name}`)}
      error={useFieldError('match.tool_ids')}
    />
  );
}

function ToolsetField() {
  const toolsets = useToolsets();
  const options = (toolsets ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  return (
    <SelectField
      // A select cannot show an option that is not there yet.
      key={toolsets ? 'loaded' : 'loading'}
      name="match.toolset"
      label="Toolset"
      options={[{ value: '', label: 'Choose one' }, ...options]}
    />
  );
}

function TagsField() {
  const { field } = useController<MatchValues, 'match.tags'>({ name: 'match.tags' });
  const tools = useTools();
  return (
    <WordsField
      label="Tags of tools"
      one="tag"
      value={field.value}
      onChange={field.onChange}
      suggestions={[...new Set(tools.flatMap(({ tags }) => tags))].sort()}
      most={MAX_LIMIT_TAGS}
      problemOf={(tag) => (TOOL_TAG.test(tag) ? null : `A tag ${TOOL_TAG_RULE}`)}
      error={useFieldError('match.tags')}
    />
  );
}
