/** A picture, or only its mark where whoever asked has it already. */
export interface Drawn {
  /** Pictures of one mark are one picture. */
  mark: string;
  svg?: string;
}
