// A response that is neither JSON nor text becomes a file. MCP has content for small pictures and sounds.

import { isShownMedia } from '@toolgate/contract/files/media.ts';
import { refuse } from '../../../../errors/errors.ts';
import { keepsFilesBack, storeResponse, storesFiles } from '../files/file-of-response.ts';
import { isFile, kindByHeaders } from '../results/response-kind.ts';
import { isJson } from '../results/response-text.ts';
import type { CallResponse, Step } from '../run.ts';

export const storeFile: Step = (app, run) => {
  const { headers, body, truncated, mcp } = run.response as CallResponse;
  if (mcp || run.file || isJson(headers['content-type'] ?? '') || keepsFilesBack(run)) return undefined;
  // Of what was cut there is only a beginning.
  const is_file = truncated ? kindByHeaders(headers) === 'file' : isFile(headers, body);
  if (
    !is_file ||
    (run.call.transport.name === 'mcp' && !truncated && isShownMedia(headers['content-type'], body.length))
  )
    return undefined;
  if (!storesFiles(run)) throw refuse.resultNotText();
  return storeResponse(app, run, headers, body);
};
