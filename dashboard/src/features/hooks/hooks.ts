// The hooks of the project in the order in which they are asked, and their choices in words. A project has at most five.

import type { HookPoint, PolicyDecision } from '@toolgate/contract/hooks/rules.ts';
import type { Hook } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';

/** Who may not read them gets nothing. */
export function useHooksQuery(isAllowed: boolean) {
  return useProjectQuery(
    ['hooks'],
    async (api) => {
      const page = await api.hooks.list();
      return { ...page, data: page.data.toReversed() };
    },
    { enabled: isAllowed },
  );
}

export const pointWords: Record<HookPoint, string> = { before: 'before a call', after: 'after a call' };

const pointsText = ({ points }: Hook) => `${points.join(' and ')} a call`;

const failureWords: Record<Hook['on_failure'], string> = {
  refuse: 'refuses if it fails',
  allow: 'allows if it fails',
};

/** "before and after a call, 1,000 ms, refuses if it fails" */
export const hookText = (hook: Hook) =>
  [
    ...(hook.is_enabled ? [] : ['disabled']),
    pointsText(hook),
    `${hook.timeout_ms.toLocaleString('en')} ms`,
    failureWords[hook.on_failure],
    ...(hook.may_change ? ['may change arguments and results'] : []),
  ].join(', ');

export const decisionTones: Record<PolicyDecision, Tone> = {
  allow: 'success',
  deny: 'danger',
  confirm: 'accent',
  failed: 'warning',
};
