import type { OldestWriter } from '@waymark/domain/events';
import type { ListedEndpoint } from '@waymark/domain/outbound';
import type { JsonRow } from '../work/json-row.js';

export type EndpointLine = JsonRow<ListedEndpoint>;

export interface EndpointsShown<Endpoint = EndpointLine> {
  endpoints: Endpoint[];
  mostBacklog: number;
  /**
   * A transaction that everything behind it waits for, where one has been open for a while (E3).
   */
  holdingBack: OldestWriter | null;
}

/** What an endpoint said to a test. */
export interface TestResult {
  /** Null where there was no answer; the text says why. */
  status: number | null;
  text: string;
}

/** A new endpoint, with its secret for this once; null where its format is not signed. */
export interface MadeEndpoint {
  secret: string | null;
}
