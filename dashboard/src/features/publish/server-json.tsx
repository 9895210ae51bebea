// The entry for the MCP registry, to copy.

import { ConflictError } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { cn } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';

export function ServerJson() {
  const { data, error, refetch } = useProjectQuery(['server-json'], (api) => api.directories.serverJson.get(), {
    staleTime: 0,
  });
  return (
    <Section title="server.json">
      {error instanceof ConflictError ? (
        <div className={cn(cardClass, 'border-dashed')}>
          <EmptyState compact title="The entry can't be generated yet">
            Add the description and the version to the listing first.
          </EmptyState>
        </div>
      ) : data ? (
        <>
          <p className="mb-2 text-muted text-xs">
            Valid against the registry's schema. Save it as server.json, and publish it with the registry's tool.
          </p>
          <CodeBlock label="server.json" code={JSON.stringify(data, null, 2)} />
        </>
      ) : error ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <Loading label="server.json">
          <Skeleton className="h-60 w-full rounded-md" />
        </Loading>
      )}
    </Section>
  );
}
