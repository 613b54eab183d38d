/** How the service writes a moment: "2030-01-31 23:59:59", in UTC, without a zone. */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** Reads what {@link timestampOf} writes; not a number for a day or an hour that no calendar has. */
export function millisecondsOf(timestamp: string): number {
  const ms = Date.parse(`${timestamp.replace(' ', 'T')}Z`)
  return !Number.isNaN(ms) && timestampOf(ms) === timestamp ? ms : Number.NaN
}
