// The settings of a project, in one form. What changed is in a bar at the bottom until it is saved.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { useEffect, useState } from 'react';
import { invalidateProject, queryClient, toolgate, useProjectApi, useProjectId } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { useAccess } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { type ApiForm, Form, FormFailure, useApiForm, useStoredValues } from '../../ui/forms/form.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { cardClass } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';
import { count } from '../../ui/words.ts';
import { projectsQuery } from '../projects/queries.ts';
import {
  type Difference,
  differences,
  type SettingsValues,
  saveSettings,
  settingsSchema,
  valuesOf,
} from './changes.ts';
import { Limits, Retention } from './limits.tsx';
import { Calls, Environment, General, Mcp, Payloads } from './sections.tsx';
import { OAuthMembers } from './sign-in.tsx';

export function SettingsPage() {
  const projectId = useProjectId();
  const reason = useAccess().reason('write');
  // The route has loaded it.
  const project = useQuery(projectQuery(projectId)).data;
  return (
    <>
      <PageHeader title="Settings" description="Changes take effect immediately." />
      {reason && <p className="mb-6 rounded-md bg-warning-soft px-3 py-2 text-warning">{reason}</p>}
      {project && <SettingsForm key={project.id} project={project} />}
      {project && <DangerZone project={project} />}
    </>
  );
}

function SettingsForm({ project }: { project: Project }) {
  const api = useProjectApi();
  const form = useApiForm({
    schema: settingsSchema,
    defaults: valuesOf(project),
    submit: async (values) => {
      try {
        await saveSettings(api, project, values);
        // Without the spaces that the schema removed: else they would be a change.
        form.reset(values);
        showToast({ title: 'The settings are saved' });
      } finally {
        // Also after a refusal: the first of the two changes may have been made.
        await invalidateProject(project.id, ['project', 'usage']);
        await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
      }
    },
  });
  const before = valuesOf(project);
  useStoredValues(form, before);
  const changes = differences(before, { ...before, ...form.watch() } as SettingsValues);
  useLeaveWarning(changes.length > 0);
  return (
    <Form form={form} className="gap-0">
      <General project={project} />
      <Environment />
      <Limits project={project} />
      <Mcp />
      <Calls />
      <Payloads />
      <OAuthMembers />
      <Retention />
      <SaveBar form={form} changes={changes} discard={() => form.reset(before)} />
    </Form>
  );
}

type SaveBarProps = { form: ApiForm<SettingsValues>; changes: Difference[]; discard: () => void };

function SaveBar({ form, changes, discard }: SaveBarProps) {
  const { failure, clearFailure } = form;
  const isClean = changes.length === 0;
  useEffect(() => {
    if (isClean && failure !== null) clearFailure();
  }, [isClean, failure, clearFailure]);
  if (isClean) return null;
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-4 z-20 mt-4 grid grid-cols-1 gap-3 rounded-lg border border-line-strong bg-raised p-4 shadow-pop"
    >
      <dl className="grid max-h-40 gap-1 overflow-y-auto text-xs">
        {changes.map(({ name, label, before, after }) => (
          <div key={name} className="flex min-w-0 flex-wrap gap-x-2">
            <dt className="font-medium">{label}</dt>
            <dd className="min-w-0 break-words">
              <del className="text-muted">{shorten(before)}</del> → <ins className="no-underline">{shorten(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      <FormFailure failure={failure} />
      <footer className="flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto w-full text-muted text-xs sm:w-auto">{count(changes.length, 'change')} not saved</span>
        <Button
          onClick={() => {
            clearFailure();
            discard();
          }}
        >
          Discard
        </Button>
        <Button type="submit" look="solid" busy={form.formState.isSubmitting} className="min-w-20">
          Save
        </Button>
      </footer>
    </section>
  );
}

const SHOWN_CHARACTERS = 120;
const shorten = (text: string) => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);

function DangerZone({ project: { id, name } }: { project: Project }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <section className="mt-10">
      <h2 className="mb-2.5 font-medium text-danger">Danger zone</h2>
      <div className={cn(cardClass, 'flex flex-wrap items-center justify-between gap-4 border-danger/40 p-4')}>
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">Delete this project</p>
          <p className="text-muted text-xs">
            Its API keys, sessions, tools and webhooks stop immediately. Its data is deleted later.
          </p>
        </div>
        <Button look="danger" needs="admin" onClick={() => setOpen(true)}>
          Delete project
        </Button>
      </div>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Delete the project “${name}”?`}
        name={name}
        action="Delete project"
        onConfirm={async () => {
          await toolgate.projects.delete(id);
          showToast({ title: `“${name}” is deleted` });
          await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
          await navigate({ to: '/', ignoreBlocker: true });
          queryClient.removeQueries({ queryKey: ['projects', id] });
        }}
      >
        <p>This cannot be undone. From now on:</p>
        <ul className="mt-1 list-disc pl-5">
          <li>all its API keys and member sessions are refused,</li>
          <li>no model can call its tools, and webhooks get no more events,</li>
          <li>its data is deleted when the retention time for deleted projects ends.</li>
        </ul>
      </ConfirmDialog>
    </section>
  );
}
