// How long texts may be that several resources have. Without zod: the dashboard ships it to browsers.

export const MAX_NAME_LENGTH = 128;
export const MAX_DESCRIPTION_LENGTH = 1_024;
