/** What of the audit log is shown. It stands in the address of the page, so that it can be sent to somebody. */
export interface AuditFilter {
  /** A part of who, from where, what or of what; the others are whole values. */
  readonly text?: string
  readonly actor?: string
  readonly service?: string
  readonly action?: string
  readonly target?: string
  /** Local times without a zone, as `<input type="datetime-local">` has them. */
  readonly from?: string
  readonly to?: string
}

const members = ['text', 'actor', 'service', 'action', 'target', 'from', 'to'] as const

/** The filter of an address or of a form; what is empty or no text is left out. */
export function readAuditFilter(given: Readonly<Record<string, unknown>>): AuditFilter {
  return Object.fromEntries(
    members.flatMap((member) => {
      const value = given[member]
      return typeof value === 'string' && value.trim() !== '' ? [[member, value.trim()]] : []
    }),
  )
}

/** The filter as the API takes it: times in UTC. */
export function queryOf({ from, to, ...texts }: AuditFilter): AuditFilter {
  const [begin, end] = [from, to].map(momentOf)
  return { ...texts, ...(begin && { from: begin }), ...(end && { to: end }) }
}

function momentOf(local: string | undefined): string | undefined {
  if (local === undefined) return undefined
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
