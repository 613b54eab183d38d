import { administratorKind } from '../changes/author.ts'
import type { MemberChange } from '../changes/members.ts'
import { allDifferences } from '../changes/update.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { InitialContents } from './initial-contents.ts'
import { TimeSlices } from './time-slices.ts'

/** What became of one object. */
export interface Difference {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  /** Undefined when it was not there. */
  readonly before: ConfigurationObject | undefined
  /** Undefined when it is gone. */
  readonly after: ConfigurationObject | undefined
  /** The members that differ, secrets hidden; none of an object that is gone. */
  readonly changes: readonly MemberChange[]
}

/**
 * What differs between two configurations, objects around others first. Administrators are left out, and so are
 * objects that come or go with the one around them and hold what they always hold.
 */
export async function differencesBetween(
  before: Snapshot,
  after: Snapshot,
  initial: InitialContents,
): Promise<Difference[]> {
  const slices = new TimeSlices()
  const differences: Difference[] = []
  for (const object of after.everything()) {
    const difference = differenceOf(before.object(object.kind, object.path), object, initial)
    if (difference) differences.push(difference)
    await slices.pause()
  }
  for (const object of before.everything()) {
    const { kind, path } = object
    const wentAlong = object.version === 0 && initial.of(object) !== undefined
    if (kind.name !== administratorKind && !wentAlong && !after.object(kind, path)) {
      differences.push({ kind, path, before: object, after: undefined, changes: [] })
    }
    await slices.pause()
  }
  return differences
}

function differenceOf(
  before: ConfigurationObject | undefined,
  after: ConfigurationObject,
  initial: InitialContents,
): Difference | undefined {
  const { kind, path, content } = after
  if (kind.name === administratorKind || before === after) return undefined
  const compared = before?.content ?? initial.of(after)
  const changes = allDifferences(kind, compared ?? defaultsOf(kind), content)
  return compared && changes.length === 0 ? undefined : { kind, path, before, after, changes }
}

function defaultsOf({ fields, sections }: CompiledKind) {
  return {
    values: fields.defaults,
    sections: Object.fromEntries(sections.map((section) => [section.segment, section.fields.defaults])),
  }
}
