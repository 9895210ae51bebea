// The arguments that every call has: a name and a JSON value each. Models do not see them.

import { MAX_FIXED_ARGUMENTS } from '@toolgate/contract/custom-tools/rules.ts';
import { useFormContext } from 'react-hook-form';
import { PairRows } from '../../ui/forms/pair-rows.tsx';
import { parseSchema } from './rules.ts';
import type { ToolValues } from './values.ts';

export function FixedArguments() {
  const { watch } = useFormContext<ToolValues>();
  return (
    <PairRows
      name="fixed_arguments"
      legend="Fixed arguments"
      hint="Sent with every call. Models can't see or change them. Describe them in the input schema like other arguments, so that their values are validated."
      one="fixed argument"
      labels={['name', 'value as JSON']}
      placeholders={['locale', '"en", 10, true, ["a"]']}
      suggestions={Object.keys(parseSchema(watch('input_schema'))?.properties ?? {})}
      most={MAX_FIXED_ARGUMENTS}
    />
  );
}
