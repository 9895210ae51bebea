// What a call over MCP says about its user. Confirmations, connections of accounts and relayed questions read it.

/** What the client of a call over MCP can ask its user, and what the user answered. */
export type Elicitation = {
  /** Revision 2026-07-28, in which answers come with a repeated call. */
  is_modern: boolean;
  form: boolean;
  url: boolean;
  /** What the user did with the URL to connect an account; null: nothing was said of it. */
  connect: 'accept' | 'decline' | 'cancel' | null;
  /** The same of the page on which a file is uploaded. */
  upload: 'accept' | 'decline' | 'cancel' | null;
  /** Null: the call has no answer. `is_confirmed` is null unless the answer says yes or no. */
  response: { state: string; action: 'accept' | 'decline' | 'cancel' | null; is_confirmed: boolean | null } | null;
  /** All answers as they came, by the keys of the questions. */
  responses: Record<string, unknown>;
};
