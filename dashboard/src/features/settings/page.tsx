// The settings of a project, in one form. What changed is in a bar at the bottom until it is saved.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { useState } from 'react';
import { invalidateProject, queryClient, toolgate, useProjectApi, useProjectId } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { useAccess } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Form, useApiForm, useStoredValues } from '../../ui/forms/form.tsx';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { cardClass } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';
import { projectsQuery } from '../projects/queries.ts';
import { differences, type SettingsValues, saveSettings, settingsSchema, valuesOf } from './changes.ts';
import { Confirmation } from './confirmation.tsx';
import { Hooks } from './hooks.tsx';
import { Limits, Retention } from './limits.tsx';
import { LogStreams } from './log-streams.tsx';
import { MemberAccess } from './member-access.tsx';
import { Calls, Environment, Files, General, Mcp, Payloads } from './sections.tsx';
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
        showToast({ title: 'Settings saved' });
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
      <Files project={project} />
      <Confirmation />
      <Hooks />
      <Payloads />
      <OAuthMembers />
      <MemberAccess />
      <LogStreams />
      <Retention />
      <SaveBar form={form} changes={changes} discard={() => form.reset(before)} />
    </Form>
  );
}

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
          showToast({ title: `“${name}” deleted` });
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
