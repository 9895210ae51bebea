// The environment of this process. No other file of the command line reads it.

export const environment: Readonly<Record<string, string | undefined>> = process.env;
