/** Somebody or some group to write, with the properties to set. */
export interface IdentifiedSubject {
  readonly identifier: string;
  /** The raw text of a JSON object, stored as it is written (U2). */
  readonly properties: string;
  /** Where it stands in the request, for refusals: `[3].groups[0]`; empty for the request itself. */
  readonly where: string;
}

/** What one request wants written, all of it or nothing (U3, U4). Of equal identifiers the later ones merge into the earlier. */
export interface IdentifyRequest {
  readonly environmentId: string;
  readonly users: readonly IdentifiedSubject[];
  readonly groups: readonly IdentifiedSubject[];
  readonly memberships: readonly { readonly user: string; readonly group: string }[];
}
