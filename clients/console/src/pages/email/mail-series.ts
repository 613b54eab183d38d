import type { EmailSchemas } from '@palisade/sdk'
import type { Series } from '../../components/chart.tsx'
import { texts as all } from './texts.ts'

/** Messages by `action:threat:reason`, and by the time at which their block began. */
type Counts = EmailSchemas['schemas']['Statistics']['inbound']

const hourSeconds = 3600
const actions = [
  ['allowed', 'var(--mantine-color-teal-6)'],
  ['blocked', 'var(--mantine-color-red-7)'],
  ['deferred', 'var(--mantine-color-orange-6)'],
  ['quarantined', 'var(--mantine-color-grape-6)'],
] as const

/**
 * Lines of what was done with mail, a value for each block: none counts as 0. What was never done has no line.
 *
 * @param now milliseconds since 1970, within the last block
 */
export function seriesOf(
  counts: Counts,
  { hours, count }: { readonly hours: number; readonly count: number },
  now: number,
): { readonly times: readonly number[]; readonly series: readonly Series[] } {
  const seconds = hours * hourSeconds
  const last = Math.floor(now / 1000 / seconds) * seconds
  const times = Array.from({ length: count }, (_, block) => last - (count - 1 - block) * seconds)
  const series = actions.flatMap(([action, color]) => {
    const own = Object.entries(counts).filter(([name]) => name.startsWith(`${action}:`))
    if (own.length === 0) return []
    const byTime = new Map<number, number>()
    for (const [at, messages] of own.flatMap(([, blocks]) => Object.entries(blocks))) {
      const time = Date.parse(at) / 1000
      byTime.set(time, (byTime.get(time) ?? 0) + messages)
    }
    const values = times.map((time) => byTime.get(time) ?? 0)
    return [{ label: all.statistics.actions[action], color, values }]
  })
  return { times, series }
}

/** Why mail was not let through, the most frequent first. */
export function threatsOf(
  directions: readonly Counts[],
): readonly { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const [key, blocks] of directions.flatMap((direction) => Object.entries(direction))) {
    const [action, threat = '', reason = ''] = key.split(':')
    if (action === 'allowed') continue
    const name = [threat, reason]
      .filter((part) => part !== 'none')
      .map((part) => part.replaceAll('_', ' '))
      .join(', ')
    const messages = Object.values(blocks).reduce((sum, one) => sum + one, 0)
    counts.set(name, (counts.get(name) ?? 0) + messages)
  }
  return Array.from(counts, ([name, count]) => ({ name, count })).toSorted(
    (one, other) => other.count - one.count,
  )
}
