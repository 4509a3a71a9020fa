import { useState } from 'preact/hooks';
import type { FlowReport } from '@waymark/domain/impact';
import { path } from '../api/call.js';
import { stream } from '../api/stream.js';
import { type Loaded, useLoaded } from '../controls/loaded.js';

export interface CountedSoFar {
  users: number;
  /** From 0 to 1. */
  done: number;
}

/** Where the users of a version are, and how far the count is. */
export function useReport(
  environment: string,
  flow: string,
  version: number,
  since: string | undefined,
): Loaded<FlowReport> & { sofar: CountedSoFar | undefined } {
  const [sofar, setSofar] = useState<CountedSoFar>();
  const asked = new URLSearchParams({ version: String(version), ...(since && { since }) });
  const report = useLoaded(`report ${environment} ${flow} ${asked.toString()}`, async (signal) => {
    setSofar(undefined);
    const address = `${path`/api/${environment}/flows/${flow}/report`}?${asked.toString()}`;
    return stream<FlowReport, CountedSoFar>(address, { signal, onProgress: setSofar });
  });
  return { ...report, sofar };
}
