// The words of members. Without zod: the dashboard ships it to browsers.

/** Stands where the id or the name of a member was who has been deleted. */
export const DELETED_MEMBER = 'deleted_member';
