// The last line of a file of audit entries: the head of the organization's chain when the file was made, and what proves the lines
// before it. It is signed, so that a file and its order can be verified without the database. Without zod: a file is read offline.

/** The payload of the signature. The line has these fields and `signature`: a compact JWS (RFC 7515, ES256) of exactly them. */
export type AuditHead = {
  object: 'audit_head';
  log_stream_id: string;
  project_id: string;
  organization_id: string;
  /** The place in the chain of the last entry before this file. The next file begins where this one ends. */
  after_seq: number;
  /** The end of the chain of the organization, which has the entries of all its projects. */
  seq: number;
  hash: string;
  /** How many entries the file has, and the first and the last of them. */
  entries: number;
  first_id: string;
  last_id: string;
  /** Over all bytes before this line, in hex. */
  sha256: string;
  created_at: string;
};
