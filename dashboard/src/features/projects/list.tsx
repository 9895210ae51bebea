// / : the projects of the organization, the last opened first.

import { useQuery } from '@tanstack/react-query';
import type { Project } from '@toolgate/sdk';
import { Archive, Layers } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { useCreateDialog } from '../../ui/create-button.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { cardClass } from '../../ui/section.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { ProjectCard } from './card.tsx';
import { CreateProjectDialog } from './dialogs.tsx';
import { archivedProjectsQuery, projectsQuery } from './queries.ts';
import { lastOpenedFirst } from './recent.ts';

/** Each card asks for its numbers. */
const SHOWN = 24;

export function ProjectsPage() {
  const isArchived = useFilters().values.is_archived === 'true';
  const query = useQuery(isArchived ? archivedProjectsQuery : projectsQuery);
  const create = useCreateDialog('write');
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project has its own tools, keys, members and limits."
        actions={create.button('Create project')}
      />
      <FilterBar names={['search', 'is_archived']}>
        <SearchFilter name="search" label="Search projects" />
        <SelectFilter name="is_archived" label="Show" all="Active" options={[{ value: 'true', label: 'Archived' }]} />
      </FilterBar>
      <div className="pt-1">
        {query.error && !query.data ? (
          <ErrorState error={query.error} retry={() => query.refetch()} />
        ) : query.data ? (
          <ProjectCards
            projects={query.data.data}
            createButton={create.button('Create the first project')}
            isArchived={isArchived}
          />
        ) : (
          <Loading label="projects">
            <div className={gridClass}>
              {[1, 2, 3].map((each) => (
                <Skeleton key={each} className="h-39 rounded-lg" />
              ))}
            </div>
          </Loading>
        )}
      </div>
      <CreateProjectDialog {...create.dialog} />
    </>
  );
}

const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3';

type CardsProps = { projects: Project[]; createButton: ReactNode; isArchived: boolean };

function ProjectCards({ projects, createButton, isArchived }: CardsProps) {
  const [isAllShown, setAllShown] = useState(false);
  const search = useFilters().values.search?.toLowerCase() ?? '';
  if (projects.length === 0) return <NoProjects createButton={createButton} isArchived={isArchived} />;
  const found = lastOpenedFirst(projects.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(search)));
  if (found.length === 0) return <EmptyState title="No project matches">Change the search.</EmptyState>;
  const shown = isAllShown ? found : found.slice(0, SHOWN);
  return (
    <>
      <ul aria-label="Projects" className={gridClass}>
        {shown.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
      {shown.length < found.length && (
        <div className="mt-6 text-center">
          <Button onClick={() => setAllShown(true)}>Show all {found.length} projects</Button>
        </div>
      )}
    </>
  );
}

function NoProjects({ createButton, isArchived }: Omit<CardsProps, 'projects'>) {
  return (
    <div className={cn(cardClass, 'border-dashed')}>
      {isArchived ? (
        <EmptyState icon={<Archive />} title="No archived projects">
          “Archive” in the menu of a project puts it here. Its keys and tools keep working.
        </EmptyState>
      ) : (
        <EmptyState icon={<Layers />} title="No projects yet" action={createButton}>
          Create one, then add an API key and your first tool. The{' '}
          <a href="/docs/api#api/tag/projects" className={inlineLinkClass}>
            API reference
          </a>{' '}
          explains what a project can do.
        </EmptyState>
      )}
    </div>
  );
}
