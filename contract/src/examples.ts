// Values that examples of the API share; ids.ts has the ids.

export const exampleTime = '2026-11-15T12:00:00.000000Z';

/** The URL that a server without settings has. */
export const examplePublicUrl = 'http://127.0.0.1:3000';
