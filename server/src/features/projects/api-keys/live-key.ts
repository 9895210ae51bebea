// When a key is accepted, as SQL, for rows that depend on one.

/** For the table `api_keys as k`. `now` is SQL for the current time. */
export const isLiveKey = (now: string) =>
  `k.is_active and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`;
