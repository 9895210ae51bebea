// What a secret looks like in a text. The log redacts it; an error that would repeat it leaves the value out.

// Inside a JSON line a match must end before the quote that ends its string, or the line would no longer be JSON.
const secret =
  /svc_(?:live|test|mst|ocs|ort|root)_[\w-]+|(?:whsec|hksec)_[\w+/=-]+|eyJ[\w-]{8,}[\w.-]*|-----BEGIN(?:[^"\\]|\\.)*|\b(?:[Bb]earer|BEARER)\s+[^\s"\\]+|postgres(?:ql)?:\/\/[^\s"\\]+/g;

/** The beginnings of the above, in any case: an input can hold a part of a secret. */
const beginning = /svc_|whsec_|hksec_|eyJ|-----BEGIN|bearer|postgres(?:ql)?:\/\//i;

export const redactSecrets = (text: string) => text.replace(secret, '[secret]');

export const mayHoldSecret = (text: string) => beginning.test(text);
