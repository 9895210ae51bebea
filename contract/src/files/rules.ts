// The bounds of files. Without zod: the dashboard ships it to browsers. MB is 10⁶ bytes.

export const MAX_FILE_BYTES = 25_000_000;
/** Of all projects of an organization. */
export const MAX_ORGANIZATION_FILE_BYTES = 1_000_000_000;
export const MAX_MEMBER_FILE_BYTES = 100_000_000;

export const MAX_FILES = 10_000;

export const MAX_FILE_NAME_BYTES = 200;

/** For how long a URL of a file works. */
export const FILE_URL_SECONDS = 900;

/** For how long the page of an upload works, and how many of them may wait for a caller. */
export const UPLOAD_TICKET_SECONDS = 900;
export const MAX_UPLOAD_TICKETS = 20;

export const MIN_FILE_RETENTION_SECONDS = 300;
export const MAX_FILE_RETENTION_SECONDS = 86_400;
export const DEFAULT_FILE_RETENTION_SECONDS = 3_600;
