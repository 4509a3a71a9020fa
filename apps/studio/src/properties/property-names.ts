/**
 * Names that lead to properties, the outermost first and `['address', 'city']` behind `['address']`; never values. For whoever
 * writes a condition (T9).
 */
export interface PropertyNames {
  user: (readonly string[])[];
  group: (readonly string[])[];
}
