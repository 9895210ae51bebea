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

/** What a token says of itself, and not of the person. */
const OF_TOKEN = new Set(
  'iss aud exp iat nbf jti nonce azp at_hash c_hash s_hash sid auth_time client_id resource scope act cnf'.split(' '),
);

/**
 * The claims of a sign-in that are kept: those that rules compare and, with hooks, which are told them, others as far as they fit. A
 * rule or a hook that is added later has no more until the person signs in again.
 */
export function claimsToKeep({ rules }: MemberAccess, claims: MemberClaims, has_hooks: boolean): MemberClaims {
  const named = new Set(rules.map(({ claim }) => claim));
  const kept = new Map<string, unknown>();
  let others_bytes = 0;
  for (const [name, value] of Object.entries(claims)) {
    const { length } = isKeepable(value) ? JSON.stringify(value) : { length: Number.POSITIVE_INFINITY };
    if (length > MAX_KEPT_BYTES) continue;
    if (!named.has(name)) {
      const bytes = name.length + length;
      if (!has_hooks || OF_TOKEN.has(name) || !isText(name) || others_bytes + bytes > MAX_KEPT_BYTES) continue;
      others_bytes += bytes;
    }
    kept.set(name, value);
  }
  return Object.fromEntries(kept);
}

function isKeepable(value: unknown): boolean {
  const isPlain = isText(value) || typeof value === 'number' || typeof value === 'boolean';
  return isPlain || (Array.isArray(value) && value.every(isText));
}

/** PostgreSQL cannot store NUL or a lone surrogate: such a claim matches no rule. */
const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
