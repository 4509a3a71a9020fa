/** Names of properties, never values, for whoever writes a condition (T9). */
export interface PropertyNames {
  user: string[];
  group: string[];
}
