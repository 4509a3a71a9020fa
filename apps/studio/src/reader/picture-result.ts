/** A picture, or only its mark where the page has it already. */
export interface PictureResult {
  /** Pictures of one mark are one picture. */
  mark: string;
  svg?: string;
}
