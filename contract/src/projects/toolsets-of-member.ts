// Which toolsets the rules of a project give to a member, by what is said of them. Without zod: the dashboard tries rules with it.

export type MemberRule = { claim: string; equals: string | number | boolean; toolsets: string[] };

/** Slugs of toolsets. `default`: for every member; null: every tool, or none if there are rules. */
export type MemberAccess = { default: string[] | null; rules: MemberRule[] };

/** What is said of a member: by an assertion or by a provider. */
export type MemberClaims = Readonly<Record<string, unknown>>;

/** The slugs of the toolsets that a member sees; null: every tool. */
export function toolsetsOfMember({ default: everybody, rules }: MemberAccess, claims: MemberClaims): string[] | null {
  if (everybody === null && rules.length === 0) return null;
  const matching = rules.filter((rule) => ruleMatches(rule, claims));
  return [...new Set([...(everybody ?? []), ...matching.flatMap((each) => each.toolsets)])];
}

export function ruleMatches({ claim, equals }: MemberRule, claims: MemberClaims): boolean {
  return Object.hasOwn(claims, claim) && hasValue(claims[claim], equals);
}

const hasValue = (claim: unknown, value: unknown) => (Array.isArray(claim) ? claim.includes(value) : claim === value);

const MAX_KEPT_BYTES = 2048;

/**
 * The claims of a sign-in that rules compare: no other is kept. A rule that is added later does not match until the person signs in
 * again.
 */
export function claimsForRules({ rules }: MemberAccess, claims: MemberClaims): MemberClaims {
  const named = new Set(rules.map(({ claim }) => claim));
  // PostgreSQL cannot store NUL or a lone surrogate: such a claim matches no rule.
  const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
  const isPlain = (value: unknown) => isText(value) || typeof value === 'number' || typeof value === 'boolean';
  const kept = Object.entries(claims).filter(
    ([name, value]) =>
      named.has(name) &&
      (isPlain(value) || (Array.isArray(value) && value.every(isText))) &&
      JSON.stringify(value).length <= MAX_KEPT_BYTES,
  );
  return Object.fromEntries(kept);
}
