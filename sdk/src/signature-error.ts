// Why a received request or webhook is not accepted.

export type SignatureReason = 'missing_header' | 'malformed' | 'expired' | 'mismatch';

/** A line of the two canonical strings that is not the same; `line` counts from 1. */
export type FirstDifference = { line: number; expected: string | null; actual: string | null };

type Fields = {
  reason: SignatureReason;
  message: string;
  canonicalString?: string | null;
  firstDifference?: FirstDifference | null;
};

/**
 * A request or webhook is not from toolgate, was changed, or is too old: respond with 401.
 * It contains neither a secret nor a valid signature, so you can log it.
 */
export class SignatureError extends Error {
  readonly reason: SignatureReason;
  /** For a tool request: the text that was compared with the signature. Compare it with `POST /custom-tools/{id}/verify-signature`. */
  readonly canonicalString: string | null;
  /** The first line that differs from `expected`, if you passed that. */
  readonly firstDifference: FirstDifference | null;

  constructor({ reason, message, canonicalString, firstDifference }: Fields) {
    super(message);
    this.reason = reason;
    this.canonicalString = canonicalString ?? null;
    this.firstDifference = firstDifference ?? null;
  }

  static {
    SignatureError.prototype.name = 'SignatureError';
  }
}
