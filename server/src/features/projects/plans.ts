// Requests per hour of each plan (spec 8, contract 4).

import type { Project } from '../../access/caller.ts';

export const plans = ['free', 'pro', 'enterprise'] as const;

const ENTERPRISE_DEFAULT = 100_000;

export function requestsPerHour({ plan, requests_per_hour }: Pick<Project, 'plan' | 'requests_per_hour'>): number {
  switch (plan) {
    case 'free':
      return 100;
    case 'pro':
      return 1000;
    case 'enterprise':
      return requests_per_hour ?? ENTERPRISE_DEFAULT;
  }
}
