// The limits of what people enter about themselves. Without zod: the dashboard ships it to browsers.

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;

const EMAIL = /^[^\s@"<>\\\p{C}]{1,64}@[^\s@"<>\\\p{C}]{1,189}$/u;

/** Spaces around it do not count. */
export const isEmail = (text: string) => EMAIL.test(text.trim());
