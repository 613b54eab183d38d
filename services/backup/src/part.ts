/** A part of a listing: at most `limit` records, after so many. */
export interface Part {
  readonly offset: number
  readonly limit: number
}
