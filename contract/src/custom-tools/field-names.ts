// Names of query parameters and form fields as frameworks read them.

/** `a[b]` and `a[]` are parts of the field `a`, and many frameworks ignore the case of names. */
export const rootOfName = (name: string) => name.replace(/\[.*/s, '').toLowerCase();

export const isSameField = (name: string, other: string) => rootOfName(name) === rootOfName(other);
