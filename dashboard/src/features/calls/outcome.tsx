// How a call went, in one word. One that only asked a person has neither succeeded nor failed.

import type { ToolCall } from '@toolgate/sdk';
import { StatusBadge } from '../../ui/badge.tsx';

export function CallOutcome({ call: { outcome, is_waiting } }: { call: Pick<ToolCall, 'outcome' | 'is_waiting'> }) {
  return <StatusBadge status={is_waiting ? 'waiting' : outcome} />;
}
