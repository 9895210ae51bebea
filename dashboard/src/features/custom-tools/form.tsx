// The fields of a tool, for creating and editing one. Rules that the API has are said while somebody types.

import { Link } from '@tanstack/react-router';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS, toolMethods } from '@toolgate/contract/custom-tools/rules.ts';
import { MAX_WEIGHT } from '@toolgate/contract/limits/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { Plus } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { useProjectId } from '../../api/client.ts';
import { Button, inlineLinkClass } from '../../ui/button.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../../ui/forms/field.tsx';
import { FoldedFields } from '../../ui/forms/form.tsx';
import { JsonField } from '../../ui/forms/json.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { AuthGroup } from './auth.tsx';
import { BodyFields } from './body.tsx';
import { ConfirmationFields } from './confirmation.tsx';
import { FixedArguments } from './fixed-arguments.tsx';
import { Group } from './group.tsx';
import { HintFields } from './hints.tsx';
import { missingProperties, nameProblem, originProblem, pathProblem, withProperty } from './rules.ts';
import { SchemaField } from './schema.tsx';
import { sections } from './sections.ts';
import { SourceGroup } from './source.tsx';
import { contexts, type ToolValues } from './values.ts';

const methods = optionsOf(toolMethods);

export function ToolFieldset({ tool }: { tool: CustomTool | null }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-6">
      <Group {...sections.description} text="They decide when a model calls the tool.">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <RuledField
            name="name"
            label="Name"
            placeholder="find_order"
            hint="Letters, digits, _ and -"
            rule={nameProblem}
          />
          <TextField name="title" label="Title" placeholder="Find an order" hint="For people; optional" />
        </div>
        <TextareaField
          name="description"
          label="Description"
          placeholder="Finds an order by its number and shows whether it has shipped."
        />
      </Group>
      {tool?.source ? <SourceGroup tool={tool} source={tool.source} /> : <RequestGroup />}
      <Group
        {...sections.arguments}
        text="What the model sends. Calls that don't match are refused before anything is sent."
      >
        {!tool?.source && <SchemaField />}
        <FixedArguments />
      </Group>
      {!tool?.source && (
        <>
          <Group {...sections.body} text="How your API reads the arguments that are not in the path.">
            <BodyFields />
          </Group>
          <AuthGroup stored={tool} />
        </>
      )}
      <CallGroups tool={tool} />
      {!tool?.source && <ResultsGroup tool={tool} />}
    </div>
  );
}

/** Who may call it, who is asked, and what clients and limits are told. */
function CallGroups({ tool }: { tool: CustomTool | null }) {
  return (
    <>
      <Group {...sections.access}>
        <SwitchField
          name="require_member"
          label="Require member"
          hint={
            tool?.source
              ? 'Only member sessions can call it.'
              : 'Only member sessions can call it. {{member_id}} in the path is that member, and no argument can change it.'
          }
        />
        <SwitchField name="is_enabled" label="Enabled" hint="A disabled tool is not listed and can't be called." />
      </Group>
      <Group {...sections.confirmation} text="Require a person's approval before anything is sent.">
        <ConfirmationFields />
      </Group>
      <Group {...sections.limits} text="Named limits of the project count the calls of its tools.">
        <TextField
          name="weight"
          label="Weight"
          type="number"
          min={1}
          max={MAX_WEIGHT}
          className="sm:max-w-64"
          hint="How much one call counts against the tool's limits"
        />
      </Group>
      <Group
        {...sections.hints}
        text="Clients use these hints to decide whether to ask a person before a call. Directories require hints that a person set."
      >
        <HintFields tool={tool} />
      </Group>
    </>
  );
}

type RuledProps = {
  name: keyof ToolValues;
  label: string;
  placeholder: string;
  hint: string;
  rule: (values: ToolValues) => string | undefined;
  className?: string;
};

/** Shows what the API would refuse in place of the hint; what it did refuse is shown by the field itself. */
function RuledField({ name, hint, rule, ...props }: RuledProps) {
  const { watch, formState } = useFormContext<ToolValues>();
  const problem = formState.errors[name] ? undefined : rule(watch());
  return (
    <TextField
      {...props}
      name={name}
      autoComplete="off"
      spellCheck={false}
      hint={problem ? <span className="text-warning">{problem}</span> : hint}
    />
  );
}

function RequestGroup() {
  return (
    <Group {...sections.request} text="The endpoint of your API that toolgate calls.">
      <div className="grid items-start gap-4 sm:grid-cols-[7rem_1fr]">
        <SelectField name="method" label="Method" options={methods} />
        <RuledField
          name="base_url"
          label="Base URL"
          placeholder="https://api.example.com"
          hint="HTTPS, without a path"
          rule={originProblem}
        />
      </div>
      <RuledField
        name="endpoint_path"
        label="Endpoint path"
        placeholder="/v1/orders/{{order_id}}"
        hint="{{name}} inserts the argument of that name. Other arguments go into the query (GET, DELETE) or the body."
        rule={pathProblem}
      />
      <AddMissingProperties />
      <MoreOfRequest />
    </Group>
  );
}

/** `{{id}}` in the path without a property of that name: one click adds it. */
function AddMissingProperties() {
  const { watch, setValue } = useFormContext<ToolValues>();
  const { endpoint_path, input_schema } = watch();
  const offers = missingProperties({ endpoint_path, input_schema }).flatMap((name) => {
    const schema = withProperty(input_schema, name);
    return schema === null ? [] : [{ name, schema }];
  });
  if (offers.length === 0) return null;
  return (
    <div className="-mt-2 flex flex-wrap gap-2">
      {offers.map(({ name, schema }) => (
        <Button
          key={name}
          size="sm"
          onClick={() => setValue('input_schema', schema, { shouldDirty: true, shouldValidate: true })}
        >
          <Plus /> Add “{name}” to the input
        </Button>
      ))}
    </div>
  );
}

function MoreOfRequest() {
  return (
    <FoldedFields title="More: timeout, headers, ids" className="[&>summary]:text-muted">
      <div className="mt-4 grid grid-cols-1 gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            name="timeout_ms"
            label="Timeout (ms)"
            type="number"
            min={1000}
            max={MAX_TIMEOUT_MS}
            step={1000}
            hint={`${MIN_TIMEOUT_MS.toLocaleString('en')} to ${MAX_TIMEOUT_MS.toLocaleString('en')}`}
          />
          <SelectField
            name="context_in"
            label="Project and member ids"
            options={contexts}
            hint="Where project_id, integration_id and member_id go"
          />
        </div>
        <TextareaField
          name="headers"
          label="Fixed headers"
          mono
          placeholder="X-Tenant: acme"
          hint="One per line, sent with every call"
        />
      </div>
    </FoldedFields>
  );
}

/** What is left of a response is a form of its own: it is measured with real responses. */
function ResultsGroup({ tool }: { tool: CustomTool | null }) {
  const toResponse = { to: '/projects/$projectId/custom-tools/$toolId', search: { tab: 'response' } } as const;
  const params = { projectId: useProjectId(), toolId: tool?.id ?? '' };
  return (
    <Group
      {...sections.results}
      text={
        tool ? (
          <>
            What models are told about responses. To shorten or redact them, use{' '}
            <Link {...toResponse} params={params} className={inlineLinkClass}>
              Response
            </Link>
            .
          </>
        ) : (
          'What models are told about responses. You can shorten and redact them once the tool exists.'
        )
      }
    >
      <JsonField
        name="output_schema"
        label="Output schema"
        rows={6}
        hint="JSON Schema of the response. Leave it empty to accept any response"
      />
    </Group>
  );
}
