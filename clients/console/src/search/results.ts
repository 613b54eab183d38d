import { hasWords, wordsIn } from '../words.ts'
import { texts } from './texts.ts'

/** The groups of results, in the order in which they are shown. */
export type Group = keyof typeof texts.groups

/** Something that can be found. */
export interface Target {
  readonly group: Group
  readonly label: string
  /** What tells it from others of the same name. */
  readonly detail?: string
  /** Words by which it is found as well. */
  readonly otherWords?: string
  /** Where it leads, without the console's own beginning. */
  readonly to: string
  /** Of a page of another target: that target's words. */
  readonly of?: string
}

/** What was found of one group. */
export interface GroupOfResults {
  readonly group: Group
  readonly targets: readonly Target[]
  /** How many others there are. */
  readonly more: number
}

/** More of one group hide the other groups. */
const shownOfGroup = 6

/** What somebody looks for, by group; names that begin with it come first. Nothing for a search without words. */
export function resultsOf(targets: readonly Target[], search: string): readonly GroupOfResults[] {
  const wanted = search.trim().replaceAll(/\s+/g, ' ')
  if (wanted === '') return []
  const found = Map.groupBy(
    targets.filter((target) => isWanted(target, wanted)),
    ({ group }) => group,
  )
  return (Object.keys(texts.groups) as Group[]).flatMap((group) => {
    const all = withFewPages(found.get(group) ?? [], wanted).toSorted(
      (one, other) => rank(one, wanted) - rank(other, wanted),
    )
    return all.length === 0
      ? []
      : [{ group, targets: all.slice(0, shownOfGroup), more: Math.max(0, all.length - shownOfGroup) }]
  })
}

function isWanted({ group, label, detail = '', otherWords = '' }: Target, wanted: string): boolean {
  return hasWords(`${label} ${detail} ${otherWords} ${texts.groups[group]}`, wanted)
}

/** Where more than one thing is found, its pages are left out, unless they were asked for. */
function withFewPages(found: readonly Target[], wanted: string): readonly Target[] {
  if (found.filter(({ of }) => of === undefined).length <= 1) return found
  return found.filter(({ of }) => of === undefined || !hasWords(of, wanted))
}

function rank({ label, of }: Target, wanted: string): number {
  const [words, first] = [wordsIn(label), wordsIn(wanted)]
  const place = [words === first, words.startsWith(first), words.includes(first), true].indexOf(true)
  return place * 2 + (of === undefined ? 0 : 1)
}

const requestPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const addressPattern = /^(\d{1,3}(\.\d{1,3}){3}|(?=.*:.*:)[0-9a-f:.]+)$/i

/** What is found by its form, not by its name: a refused request, and entries of the firewall's log. */
export function targetsByForm(search: string): readonly Target[] {
  const wanted = search.trim()
  const log = (query: Record<string, string>) => `/firewall/log?${new URLSearchParams(query)}`
  const target = (label: string, to: string): Target => ({ group: 'requests', label, otherWords: wanted, to })
  if (requestPattern.test(wanted)) {
    return [target(texts.whyRefused(wanted), `/firewall/requests/${encodeURIComponent(wanted)}`)]
  }
  if (addressPattern.test(wanted)) return [target(texts.logOfClient(wanted), log({ client: wanted }))]
  if (/^\/\S/.test(wanted)) return [target(texts.logOfPath(wanted), log({ text: wanted }))]
  return []
}
