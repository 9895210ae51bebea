// How the arguments become the body of a request.

import { takesBody } from '@toolgate/contract/custom-tools/body-format.ts';
import { useFormContext } from 'react-hook-form';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { formats, isForm } from './body-values.ts';
import { EncodingRows } from './encoding.tsx';
import type { ToolValues } from './values.ts';

export function BodyFields() {
  const { watch } = useFormContext<ToolValues>();
  const [method, format] = watch(['method', 'body_format']);
  if (!takesBody(method))
    return <p className="text-muted">{method} requests have no body. The arguments go to the query.</p>;
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField name="body_format" label="Body format" options={formats} hint="How your API reads the arguments" />
        {format === 'raw' && (
          <>
            <TextField
              name="body_argument"
              label="Body argument"
              placeholder="document"
              hint="This argument is the body. The others go to the query."
            />
            <TextField
              name="body_content_type"
              label="Content type"
              placeholder="text/csv"
              hint="Optional. Otherwise text/plain for text, application/json for everything else."
            />
          </>
        )}
      </div>
      {isForm(format) && <EncodingRows format={format} />}
    </>
  );
}
