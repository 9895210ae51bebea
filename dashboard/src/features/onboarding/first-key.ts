// The key that the set-up creates. It is in the memory of this page only, until "I have saved it" or a sign-in.

import { useQuery } from '@tanstack/react-query';
import { projectApi, queryClient } from '../../api/client.ts';

const keyOf = (projectId: string) => ['first-key', projectId];

/** For a model: it lists and calls tools, and changes nothing. If it cannot be created, the first step is to create one. */
export async function createFirstKey(projectId: string): Promise<void> {
  const created = await projectApi(projectId)
    .apiKeys.create({ name: 'First key', permissions: ['read'] })
    .catch(() => null);
  queryClient.setQueryDefaults(keyOf(projectId), { gcTime: Number.POSITIVE_INFINITY });
  queryClient.setQueryData(keyOf(projectId), created?.key ?? null);
}

export function useFirstKey(projectId: string): { firstKey: string | null; forget: () => void } {
  const { data } = useQuery<string | null>({ queryKey: keyOf(projectId), enabled: false, queryFn: () => null });
  return { firstKey: data ?? null, forget: () => queryClient.setQueryData(keyOf(projectId), null) };
}
