// The fields of a tool, for creating and editing one. Rules that the API has are said while somebody types.

import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS, toolMethods } from '@toolgate/contract/custom-tools/rules.ts';
import { MAX_WEIGHT } from '@toolgate/contract/limits/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { Plus } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
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
import { SourceGroup } from './source.tsx';
import { contexts, type ToolValues } from './values.ts';

const methods = optionsOf(toolMethods);

export function ToolFieldset({ tool }: { tool: CustomTool | null }) {
  return (
    <div className="grid min-w-0 gap-6">
      <Group title="For the model" text="The name and the description decide when a model calls the tool.">
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
          placeholder="Finds an order by its number and says whether it was shipped."
        />
      </Group>
      {tool?.source ? <SourceGroup tool={tool} source={tool.source} /> : <RequestGroup />}
      <Group
        title="Input"
        text="The arguments that the model sends. Calls that don't match are refused before anything is sent."
      >
        {!tool?.source && <SchemaField />}
        <FixedArguments />
      </Group>
      {!tool?.source && <AuthGroup stored={tool} />}
      <Group title="Access">
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
      <Group title="Confirmation" text="Require a person's approval before anything is sent.">
        <ConfirmationFields />
      </Group>
      <Group
        title="Hints for MCP clients"
        text="Clients use these hints to decide whether to ask a person before a call. Directories require hints that a person set."
      >
        <HintFields tool={tool} />
      </Group>
      {tool?.source ? <WeightGroup /> : <MoreFields />}
    </div>
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
    <Group title="Request" text="The endpoint of your API that toolgate calls.">
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
      <BodyFields />
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

function WeightField() {
  return (
    <TextField
      name="weight"
      label="Weight"
      type="number"
      min={1}
      max={MAX_WEIGHT}
      hint="How much one call counts against the tool's limits"
    />
  );
}

function WeightGroup() {
  return (
    <Group title="Limits">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <WeightField />
      </div>
    </Group>
  );
}

function MoreFields() {
  return (
    <FoldedFields
      title="More: timeout, weight, headers, output schema"
      className="border-line border-t pt-5 [&>summary]:font-semibold"
    >
      <div className="mt-4 grid gap-4">
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
          <WeightField />
        </div>
        <TextareaField
          name="headers"
          label="Fixed headers"
          mono
          placeholder="X-Tenant: acme"
          hint="One per line, sent with every call"
        />
        <JsonField
          name="output_schema"
          label="Output schema"
          rows={6}
          hint="JSON Schema of the response. Leave it empty to accept any response"
        />
      </div>
    </FoldedFields>
  );
}
