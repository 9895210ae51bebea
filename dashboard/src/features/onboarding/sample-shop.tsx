// "Load the sample shop": tools that work at once, for a project that has none yet.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { Button } from '../../ui/button.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { count } from '../../ui/words.ts';

const PRODUCTION = 'The sample shop is for projects whose environment is development.';

/** Loads the tools, and shows them. */
export function LoadSampleShop() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const project = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' }).data;
  const load = useProjectChange({
    change: async (toolgate) => {
      const { tools } = await toolgate.customTools.loadSample();
      await navigate({ to: '/projects/$projectId/custom-tools', params: { projectId } });
      return tools;
    },
    invalidates: ['custom-tools'],
    done: (tools) => `Sample shop loaded: ${count(tools.length, 'tool')}`,
  });
  return (
    <Button
      needs="write"
      disabledReason={project?.environment === 'production' ? PRODUCTION : undefined}
      busy={load.isPending}
      onClick={() => load.mutate()}
    >
      <Store /> Load the sample shop
    </Button>
  );
}
