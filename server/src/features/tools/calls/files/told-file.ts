// What hooks, approvals, the log and the payload of a call are told of a file: what it is, never its bytes, nor a URL of it.

export type ToldFile = { id: string | null; name: string; content_type: string; size: number; sha256: string };

type Told = { id?: string | null; name: string; content_type: string; size: number; sha256: string | null };

export const tellFile = ({ id = null, name, content_type, size, sha256 }: Told): ToldFile => ({
  id,
  name,
  content_type,
  size,
  sha256: sha256 ?? '',
});
