import type { Difference } from './differences.ts'
import { objectTitle } from './names.ts'

/** How many objects of each list are told in a reply; all are counted. */
const toldMax = 1000

/** How many objects the record of changes names. */
const summarisedMax = 50

/**
 * Differences as replies tell them: `added`, `changed` and `removed` with kind and path of each object and, where it
 * changed, its members with their old and new values, secrets hidden; beside each list its "… count".
 */
export function differencesReply(differences: readonly Difference[]): Record<string, unknown> {
  const added = differences.filter(({ before }) => !before)
  const changed = differences.filter(({ before, after }) => before && after)
  const removed = differences.filter(({ after }) => !after)
  return {
    'added count': added.length,
    'changed count': changed.length,
    'removed count': removed.length,
    added: added.slice(0, toldMax).map(place),
    changed: changed.slice(0, toldMax).map((difference) => ({
      ...place(difference),
      changes: difference.changes.map(({ section, member, before, after }) => ({
        ...(section === undefined ? {} : { section }),
        member,
        old: before ?? '',
        new: after ?? '',
      })),
    })),
    removed: removed.slice(0, toldMax).map(place),
  }
}

/** Differences in one line, for the record of changes. */
export function summaryOf(differences: readonly Difference[]): string {
  const named = differences.slice(0, summarisedMax).map((difference) => {
    const action = !difference.before ? 'added' : difference.after ? 'changed' : 'removed'
    return `${action} ${objectTitle(difference.kind, difference.path)}`
  })
  const others = differences.length - summarisedMax
  return [...named, ...(others > 0 ? [`and ${others} others`] : [])].join(', ')
}

function place({ kind, path }: Difference): { kind: string; path: readonly string[] } {
  return { kind: kind.name, path }
}
