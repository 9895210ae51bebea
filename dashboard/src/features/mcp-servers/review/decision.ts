// Which pending tools are selected, what they are called, and what the API said when they were approved or rejected.

import { useMutation } from '@tanstack/react-query';
import { MAX_SERVER_TOOLS } from '@toolgate/contract/mcp-servers/rules.ts';
import { type McpServer, type PendingTool, ToolgateError } from '@toolgate/sdk';
import { useState } from 'react';
import { invalidateProject, slowProjectApi, useProjectId } from '../../../api/client.ts';
import { describeError } from '../../../api/errors.ts';
import { showToast } from '../../../ui/toasts.ts';
import { count } from '../../../ui/words.ts';
import { TOOL_RESOURCES } from '../queries.ts';
import { isBlocked } from './card.tsx';

/** What was seen of a tool when it was selected: another definition is not approved by it. */
type Seen = { hash: string; isBlocked: boolean };

export type Decision = ReturnType<typeof useDecision>;

export function useDecision({ id }: McpServer) {
  const projectId = useProjectId();
  const [selected, setSelected] = useState<ReadonlyMap<string, Seen>>(new Map());
  const [renames, setRenames] = useState<ReadonlyMap<string, string>>(new Map());
  const [isEnabling, setEnabling] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  const api = slowProjectApi(projectId);
  const names = [...selected.keys()];
  const done = async (decision: 'approved' | 'rejected') => {
    showToast({ title: `${count(names.length, 'tool')} ${names.length === 1 ? 'is' : 'are'} ${decision}` });
    setSelected(new Map());
    setProblem(null);
    approve.reset();
    await invalidateProject(projectId, TOOL_RESOURCES);
  };
  const approve = useMutation({
    mutationFn: () =>
      api.mcpServers.approve(id, {
        tool_names: names,
        rename: Object.fromEntries([...renames].filter(([name]) => selected.has(name))),
        hashes: Object.fromEntries([...selected].map(([name, { hash }]) => [name, hash])),
        is_enabled: isEnabling,
      }),
    onSuccess: () => done('approved'),
    onMutate: () => setProblem(null),
    onError: async (error) => {
      const found = problemOf(error, names);
      setProblem(found);
      // Somebody, or a sync, was faster. It has to be looked at again.
      if (found && error instanceof ToolgateError && error.code === 'PENDING_TOOL_CHANGED')
        setSelected(new Map([...selected].filter(([name]) => name !== found.upstream_name)));
      await invalidateProject(projectId, ['mcp-servers']);
    },
  });
  return {
    selected,
    renames,
    approve,
    isEnabling,
    setEnabling,
    problem,
    rename: (upstreamName: string, name: string) => setRenames(new Map([...renames, [upstreamName, name]])),
    select(tools: PendingTool[], isOn: boolean) {
      const next = new Map(selected);
      for (const tool of tools)
        isOn
          ? next.set(tool.upstream_name, { hash: tool.hash, isBlocked: isBlocked(tool) })
          : next.delete(tool.upstream_name);
      setSelected(next);
    },
    async selectAll() {
      const all = new Map<string, Seen>();
      for await (const tool of api.mcpServers.pending.list(id, { limit: 100 })) {
        if (all.size === MAX_SERVER_TOOLS) break;
        all.set(tool.upstream_name, { hash: tool.hash, isBlocked: isBlocked(tool) });
      }
      setSelected(all);
    },
    async reject() {
      await api.mcpServers.reject(id, { tool_names: names });
      await done('rejected');
    },
  };
}

/** The tool that the API refused, by its name at the server, and why. */
type Problem = { upstream_name: string; text: string };

function problemOf(error: unknown, names: string[]): Problem | null {
  if (!(error instanceof ToolgateError)) return null;
  const { field, value, problems } = error.details as {
    field?: string;
    value?: unknown;
    problems?: { field: string; message: string }[];
  };
  const place = problems?.[0]?.field ?? field ?? '';
  const renamed = place.startsWith('rename.') ? place.slice('rename.'.length) : undefined;
  const upstream_name = names.find((name) => name === renamed) ?? names.find((name) => name === value);
  if (upstream_name === undefined) return null;
  const { message, remedy } = describeError(error);
  return { upstream_name, text: [problems?.[0]?.message ?? message, remedy].filter(Boolean).join('. ') };
}
