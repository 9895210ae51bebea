// A log stream as the values of its form, and back. Numbers are text there, and a credential that is stored is empty.

import {
  defaultFlushSeconds,
  type LogStreamKind,
  logStreamKinds,
  logStreamSources,
} from '@toolgate/contract/log-streams/rules.ts';
import type { LogStream, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { changedFields } from '../../ui/forms/changed-fields.ts';
import { optionalName } from '../../ui/forms/schemas.ts';
import { certificateFields, certificateFieldsOf, certificateValuesOf } from '../certificates/field.tsx';
import { headerDefaults, headerFields, toHeaders } from '../webhooks/headers.tsx';

type NewFields = Parameters<Toolgate['logStreams']['create']>[0];
type Changes = Parameters<Toolgate['logStreams']['update']>[1];

const text = z.string().check(z.trim());

const fields = z.object({
  name: optionalName,
  kind: z.enum(logStreamKinds),
  source: z.enum(logStreamSources),
  endpoint: text.check(z.regex(/^(?:https?:\/\/.*)?$/i, 'It begins with https://')),
  bucket: text,
  region: text,
  prefix: text,
  access_key_id: text,
  secret_access_key: text,
  flush_seconds: text.check(z.regex(/^(?:[1-9]\d*)?$/, 'Enter a whole number')),
  is_enabled: z.boolean(),
  ...certificateFields,
  ...headerFields,
});

export type LogStreamValues = z.infer<typeof fields>;

const missing: Partial<Record<keyof LogStreamValues, string>> = {
  endpoint: 'Enter a URL',
  bucket: 'Enter the name of the bucket',
  access_key_id: 'Enter the ID of the access key',
  secret_access_key: 'Enter the secret of the access key',
};

/** What a new one of a kind needs. A stored secret stays if its field is empty. */
const needed = (kind: LogStreamKind, isNew: boolean): (keyof LogStreamValues)[] =>
  kind === 's3' ? ['bucket', 'access_key_id', ...(isNew ? (['secret_access_key'] as const) : [])] : ['endpoint'];

export const logStreamSchema = (isNew: boolean) =>
  fields.check(({ value, issues }) => {
    for (const name of needed(value.kind, isNew))
      if (value[name] === '') issues.push({ code: 'custom', message: missing[name], path: [name], input: value });
  });

export function valuesOf(stream: LogStream | null): LogStreamValues {
  return {
    name: stream?.name ?? '',
    kind: stream?.kind ?? 'https',
    source: stream?.source ?? 'tool_calls',
    endpoint: stream?.endpoint ?? '',
    bucket: stream?.bucket ?? '',
    region: stream?.region ?? '',
    prefix: stream?.prefix ?? '',
    access_key_id: stream?.access_key_id ?? '',
    secret_access_key: '',
    flush_seconds: stream ? String(stream.flush_seconds) : '',
    is_enabled: stream?.is_enabled ?? true,
    ...certificateValuesOf(stream),
    ...headerDefaults(stream?.header_names ?? []),
  };
}

/** As the API takes them. Fields of other kinds, which may have been filled before the kind was chosen, are left out. */
export function fieldsOf(values: LogStreamValues): NewFields {
  const { name, kind, source, is_enabled } = values;
  const flush_seconds = values.flush_seconds === '' ? defaultFlushSeconds(kind) : Number(values.flush_seconds);
  const certificate = certificateFieldsOf(values);
  const common = { ...(name !== '' && { name }), kind, source, flush_seconds, is_enabled, ...certificate };
  return kind === 's3'
    ? { ...common, ...bucketFields(values) }
    : { ...common, endpoint: values.endpoint, ...toHeaders(values) };
}

/** An empty field is the default of the API, an empty secret the stored one. */
function bucketFields({ endpoint, bucket, region, prefix, access_key_id, secret_access_key }: LogStreamValues) {
  return {
    endpoint: endpoint || null,
    bucket,
    region: region || null,
    prefix: prefix || null,
    access_key_id,
    ...(secret_access_key !== '' && { secret_access_key }),
  };
}

/** Compared with what the form showed at first, because headers and secrets are not read back. */
export function changesOf(values: LogStreamValues, stream: LogStream): Changes {
  const { kind, source, ...given } = fieldsOf(values);
  return changedFields(given, fieldsOf({ ...valuesOf(stream), replaces_headers: false }));
}
