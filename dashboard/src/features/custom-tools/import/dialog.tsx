// "Import OpenAPI": a document becomes tools. While it is typed a dry run shows its operations and what an import would change.

import { useQuery } from '@tanstack/react-query';
import { contextPlaces } from '@toolgate/contract/custom-tools/rules.ts';
import { type ChangeEvent, useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { invalidateProject, slowProjectApi, useProjectId } from '../../../api/client.ts';
import { Dialog, DialogActions } from '../../../ui/dialogs/dialog.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../../../ui/forms/field.tsx';
import { type ApiForm, Form, FormFailure, showAtFields, useApiForm } from '../../../ui/forms/form.tsx';
import { useLater } from '../../../ui/later.ts';
import { ErrorAlert } from '../../../ui/states.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { count } from '../../../ui/words.ts';
import { contexts } from '../values.ts';
import { type Choices, chosenOf, selectionOf } from './choice.ts';
import { type Drops, dropOf } from './drops.tsx';
import { ImportPreview, SchemeSecrets } from './preview.tsx';

const importSchema = z.object({
  document: z.string(),
  document_url: z.string(),
  base_url: z.string(),
  is_enabled: z.boolean(),
  require_member: z.boolean(),
  context_in: z.enum(['', ...contextPlaces]),
  auth_secrets: z.record(z.string(), z.string()),
});

type Values = z.infer<typeof importSchema>;
type Source = Pick<Values, 'document' | 'document_url' | 'base_url'>;
type Props = { open: boolean; onOpenChange: (open: boolean) => void };

export function ImportDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="xl"
      title="Import OpenAPI"
      description="Creates a tool for each operation that you select. New tools are disabled until you enable them. Import again to see what changed."
    >
      <ImportForm {...props} />
    </Dialog>
  );
}

function ImportForm({ onOpenChange }: Props) {
  const projectId = useProjectId();
  const [choices, setChoices] = useState<Choices>(new Map());
  const [drops, setDrops] = useState<Drops>(new Map());
  const form = useApiForm<Values>({
    schema: importSchema,
    defaults: {
      document: '',
      document_url: '',
      base_url: '',
      is_enabled: false,
      require_member: false,
      context_in: '',
      auth_secrets: {},
    },
    submit: async (values) => {
      const shown = isShown(values) ? preview.data : undefined;
      const imported = await slowProjectApi(projectId).customTools.import({
        ...sourceOf(values),
        ...optionsOf(values),
        ...selectionOf(shown, choices),
        ...(shown && dropOf(chosenOf(shown, choices), drops)),
        on_conflict: 'update',
      });
      onOpenChange(false);
      showToast({ title: `${count(imported.created.length, 'tool')} created, ${imported.updated.length} changed` });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  const source =
    useLater(form.watch(['document', 'document_url', 'base_url']).join('\n')) && sourceOf(form.getValues());
  const preview = useImportPreview(projectId, source || null);
  /** The document may have changed since the preview was read. */
  const isShown = (values: Values) => JSON.stringify(sourceOf(values)) === JSON.stringify(source);
  const isNothing = preview.data && selectionOf(preview.data, choices).tool_names?.length === 0;
  const { clearErrors, getValues, setError } = form;
  useEffect(() => {
    clearErrors();
    showAtFields({ getValues, setError }, preview.error);
  }, [clearErrors, getValues, setError, preview.error]);
  return (
    <Form form={form} label="Import OpenAPI">
      <SourceFields form={form} />
      {preview.error && <ErrorAlert error={preview.error} />}
      {preview.isLoading && <p className="animate-skeleton text-muted">Reading the document…</p>}
      {preview.data && (
        <ImportPreview result={preview.data} choices={choices} onChange={setChoices} drops={drops} onDrop={setDrops} />
      )}
      {preview.data && <SchemeSecrets schemes={preview.data.security_schemes} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          name="base_url"
          label="Base URL"
          placeholder="https://api.example.com"
          hint="Instead of the document's servers; optional"
        />
        <SelectField
          name="context_in"
          label="Project and member ids"
          options={contextsOfAll}
          hint="Where project_id, integration_id and member_id go. An API that refuses unknown arguments needs headers."
        />
        <div className="grid content-start gap-3 sm:col-span-2">
          <SwitchField name="require_member" label="Require member" />
          <SwitchField name="is_enabled" label="Enable the tools immediately" />
        </div>
      </div>
      {!preview.error && <FormFailure failure={form.failure} />}
      <DialogActions
        submit="Import"
        busy={form.formState.isSubmitting}
        disabledReason={isNothing ? 'Select at least one operation.' : undefined}
        onCancel={() => onOpenChange(false)}
      />
    </Form>
  );
}

/** Like other options, it changes tools that are there already only if it is chosen. */
const contextsOfAll = [{ value: '', label: 'Not set: arguments for new tools' }, ...contexts];

function SourceFields({ form }: { form: ApiForm<Values> }) {
  const readFile = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    file.text().then(
      (text) => form.setValue('document', text),
      () => form.setError('document', { message: 'The file cannot be read' }),
    );
  };
  const chooser = (
    <label className="cursor-pointer rounded text-accent text-xs has-focus-visible:outline-2 hover:underline">
      Choose a file
      <input type="file" accept=".json,.yaml,.yml,application/json" onChange={readFile} className="sr-only" />
    </label>
  );
  return (
    <>
      <TextareaField
        name="document"
        label="OpenAPI document"
        aside={chooser}
        mono
        rows={7}
        placeholder="openapi: 3.1.0 …"
        hint="OpenAPI 3.0 or 3.1, as JSON or YAML"
      />
      <TextField
        name="document_url"
        label="Or its URL"
        placeholder="https://api.example.com/openapi.json"
        disabled={form.watch('document') !== ''}
        hint="HTTPS, on the public internet"
      />
    </>
  );
}

function useImportPreview(projectId: string, source: ReturnType<typeof sourceOf> | null) {
  return useQuery({
    queryKey: ['projects', projectId, 'import', source],
    queryFn: () => slowProjectApi(projectId).customTools.import({ ...source, on_conflict: 'update', dry_run: true }),
    enabled: source !== null && ('document' in source || 'document_url' in source),
    // A document may be large: it is not kept when the dialog is closed.
    gcTime: 0,
    retry: false,
  });
}

function sourceOf({ document, document_url, base_url }: Source) {
  return {
    ...(document.trim() !== '' ? { document } : document_url.trim() !== '' && { document_url }),
    ...(base_url.trim() !== '' && { base_url }),
  };
}

function optionsOf({ is_enabled, require_member, context_in, auth_secrets }: Values) {
  const secrets = Object.entries(auth_secrets).filter(([, secret]) => secret !== '');
  return {
    // False is the default for new tools, and must not disable those that are enabled already.
    ...(is_enabled && { is_enabled }),
    ...(require_member && { require_member }),
    ...(context_in !== '' && { context_in }),
    ...(secrets.length > 0 && { auth_secrets: Object.fromEntries(secrets) }),
  };
}
