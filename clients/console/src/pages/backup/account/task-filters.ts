import { shellWord } from '@palisade/sdk'

/** What tasks can be limited to, in the order in which it is offered. */
export const choices = {
  type: ['BACKUP', 'RESTORE'],
  status: ['ERROR', 'RUNNING', 'SUCCESS', 'CANCELED'],
  since: ['24h', '7d'],
} as const

/** Which tasks are shown: it stands in the address of the page. */
export interface TaskFilters {
  readonly type?: (typeof choices.type)[number]
  readonly status?: (typeof choices.status)[number]
  /** Up to now; all times when left out. */
  readonly since?: (typeof choices.since)[number]
}

const spansMs = { '24h': 24 * 3_600_000, '7d': 7 * 24 * 3_600_000 } as const

/** The filters that an address has; what makes no sense is left out. */
export function taskFiltersIn(search: Readonly<Record<string, unknown>>): TaskFilters {
  const chosen = Object.entries(choices).filter(([name, values]) =>
    (values as readonly unknown[]).includes(search[name]),
  )
  return Object.fromEntries(chosen.map(([name]) => [name, search[name]]))
}

/** The filters as the history takes them. */
export function historyQuery({ type, status, since }: TaskFilters) {
  return {
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...(since === undefined ? {} : { since: new Date(Date.now() - spansMs[since]).toISOString() }),
  }
}

/** The filters as options of the command line's history. */
export function historyOptions(filters: TaskFilters): string {
  const { type, ...others } = historyQuery(filters)
  const options = { ...(type === undefined ? {} : { type: type.toLowerCase() }), ...others }
  return Object.entries(options)
    .map(([name, value]) => ` --${name} ${shellWord(value)}`)
    .join('')
}
