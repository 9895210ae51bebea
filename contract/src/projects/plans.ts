// Requests per hour of each plan (spec 8, contract 4).

export const plans = ['free', 'pro', 'enterprise'] as const;

export type Plan = (typeof plans)[number];

const limits: Record<Plan, number> = { free: 100, pro: 1_000, enterprise: 100_000 };

/** Only the plan `enterprise` may have a limit of its own. */
export function requestsPerHour(project: { plan: Plan; requests_per_hour: number | null }): number {
  const { plan, requests_per_hour } = project;
  return plan === 'enterprise' ? (requests_per_hour ?? limits.enterprise) : limits[plan];
}
