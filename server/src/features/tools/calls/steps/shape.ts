// What the caller gets of the response: `response` of the tool selects, drops, redacts and cuts.

import { whenReady } from '../../../../when-ready.ts';
import { fileResult, shapeResult } from '../results/shape-result.ts';
import type { CallResponse, Step } from '../run.ts';

export const shape: Step = (app, run) => {
  if (run.file) {
    run.result = fileResult(run.file);
    return;
  }
  return whenReady(shapeResult(app, run.caller, run.tool, run.call, run.response as CallResponse), (result) => {
    run.result = result;
  });
};
