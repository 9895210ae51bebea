// A policy in twenty lines: who may refund how much.

import type { Decide } from './serve.ts';

const MOST = { support: 100, manager: 1_000 };

export const decide: Decide = ({ tool, member, arguments: given }) => {
  if (tool.hints.readOnlyHint) return { decision: 'allow' };
  if (tool.name !== 'refund_order') return { decision: 'deny', reason: `Nobody may call ${tool.name} here.` };
  const role = member?.claims.role;
  const most = role === 'manager' || role === 'support' ? MOST[role] : 0;
  const amount = Number(given?.amount);
  if (amount <= most) return { decision: 'allow' };
  if (role === 'manager') return { decision: 'confirm', reason: `More than ${most}.` };
  return { decision: 'deny', reason: `A refund of ${amount} needs another role.` };
};
