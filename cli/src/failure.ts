// How a command ends without success. Everything else that is thrown is a mistake in this program.

/** Exit code 1. The message is for people: what failed, and what to do. */
export class Failure extends Error {}

/** Exit code 2: the command line itself is wrong. */
export class UsageError extends Error {}
