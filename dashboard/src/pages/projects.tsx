// / : the projects of the organization, the last opened first.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { Layers, Plus } from 'lucide-react';
import * as z from 'zod/mini';
import { projectApi, queryClient, toolgate } from '../api.ts';
import { Badge, EnvironmentBadge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { FilterBar, SearchFilter } from '../components/filter-bar.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { cardClass, PageHeader } from '../components/page-header.tsx';
import { useCreateShortcut } from '../components/shortcuts.tsx';
import { Loading, Skeleton } from '../components/skeleton.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';
import { projectsQuery } from '../projects.ts';
import { recentProjects } from '../recent-projects.ts';
import { useFilters, useUrlDialog } from '../search.ts';
import { useAccess } from '../session.ts';

export function ProjectsPage() {
  const [isCreating, setCreating] = useUrlDialog('create');
  const query = useQuery(projectsQuery);
  useCreateShortcut(() => setCreating(true));
  const createButton = (
    <Button look="solid" needs="write" onClick={() => setCreating(true)}>
      <Plus /> Create project
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project has its own tools, keys, members and limits."
        actions={createButton}
      />
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search projects" />
      </FilterBar>
      {query.error && !query.data ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : query.data ? (
        <ProjectCards projects={query.data.data} createButton={createButton} />
      ) : (
        <Loading label="projects">
          <div className={gridClass}>
            {[1, 2, 3].map((each) => (
              <Skeleton key={each} className="h-34 rounded-lg" />
            ))}
          </div>
        </Loading>
      )}
      <CreateProjectDialog open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

const gridClass = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';

function ProjectCards({ projects, createButton }: { projects: Project[]; createButton: React.ReactNode }) {
  const search = useFilters().values.search?.toLowerCase() ?? '';
  if (projects.length === 0) {
    return (
      <div className={cn(cardClass, 'border-dashed')}>
        <EmptyState icon={<Layers />} title="No projects yet" action={createButton}>
          Create one, then add an API key and your first tool.
        </EmptyState>
      </div>
    );
  }
  const recent = recentProjects();
  const rank = ({ id }: Project) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  const shown = projects
    .filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(search))
    .sort((one, other) => rank(one) - rank(other));
  if (shown.length === 0) return <EmptyState title="No project matches">Change the search.</EmptyState>;
  return (
    <ul className={gridClass}>
      {shown.map((project) => (
        <ProjectCard key={project.id} project={project} />
      ))}
    </ul>
  );
}

function ProjectCard({ project: { id, name, environment, plan } }: { project: Project }) {
  const isAdmin = useAccess().can('admin');
  const totals = useQuery({
    queryKey: ['projects', id, 'analytics', 'day'],
    queryFn: () => projectApi(id).analytics.get(),
  }).data?.totals;
  const keys = useQuery({
    queryKey: ['projects', id, 'api-keys', 'count'],
    queryFn: () => projectApi(id).apiKeys.list({ limit: 100 }),
    enabled: isAdmin,
  }).data;
  return (
    <li className={cn(cardClass, 'relative flex h-34 flex-col p-4 transition-colors hover:border-line-strong')}>
      <div className="flex items-start justify-between gap-2">
        <Link
          to="/projects/$projectId"
          params={{ projectId: id }}
          className="min-w-0 truncate rounded font-medium before:absolute before:inset-0 before:rounded-lg"
        >
          {name}
        </Link>
        <EnvironmentBadge environment={environment} />
      </div>
      <code className="truncate text-faint text-xs">{id}</code>
      <dl className="mt-auto flex items-end gap-5">
        <Count name="Calls, 24 h" value={totals?.calls} />
        <Count name="Errors" value={totals?.errors} isBad />
        {isAdmin && <Count name="Keys" value={keys && (keys.hasMore ? '100+' : keys.data.length)} />}
        <div className="ml-auto">
          <dt className="sr-only">Plan</dt>
          <dd>
            <Badge>{plan}</Badge>
          </dd>
        </div>
      </dl>
    </li>
  );
}

function Count({ name, value, isBad }: { name: string; value: number | string | undefined; isBad?: boolean }) {
  return (
    <div>
      <dt className="text-faint text-xs">{name}</dt>
      <dd className={cn('h-5 font-medium tabular-nums', isBad && value ? 'text-danger' : '')}>
        {value === undefined ? <Skeleton className="mt-1 w-8" /> : value.toLocaleString('en')}
      </dd>
    </div>
  );
}

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name'), z.maxLength(128, 'Use at most 128 characters')),
  environment: z.enum(['development', 'production']),
});

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

function CreateProjectDialog(props: DialogProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Create project">
      <CreateProjectForm {...props} />
    </Dialog>
  );
}

function CreateProjectForm({ onOpenChange }: DialogProps) {
  const navigate = useNavigate();
  const form = useApiForm({
    schema,
    defaults: { name: '', environment: 'development' },
    submit: async (fields) => {
      const { id } = await toolgate.projects.create(fields);
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate({ to: '/projects/$projectId', params: { projectId: id } });
    },
  });
  const name = form.watch('name').trim();
  return (
    <Form form={form} label="Create project">
      <TextField
        name="name"
        label="Name"
        autoComplete="off"
        placeholder="My project"
        hint={
          <>
            {name ? `“${name}” gets` : 'It gets'} an id such as <code>prj_••••••••</code>, which never changes.
          </>
        }
      />
      <SelectField
        name="environment"
        label="Environment"
        options={[
          { value: 'development', label: 'Development' },
          { value: 'production', label: 'Production' },
        ]}
        hint="Production identifies members by signed assertions only. You can change it later."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
