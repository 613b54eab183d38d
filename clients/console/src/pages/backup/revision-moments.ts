import type { Revision } from './data.ts'
import type { Moment, MomentKind } from './moments.ts'
import { texts as all } from './texts.ts'

const texts = all.revision

/** How good a revision is, as far as it is known. */
export function kindOf({ Verification, Proof }: Pick<Revision, 'Verification' | 'Proof'>): MomentKind {
  if (Verification?.State === 'DAMAGED') return 'damaged'
  if (Proof?.State === 'RUNS') return 'proved'
  return Verification === null ? 'plain' : 'verified'
}

/** Revisions of one volume on a time line. @param revisions newest first */
export function momentsOf(revisions: readonly Revision[]): readonly Moment[] {
  return revisions
    .map((revision) => {
      const kind = kindOf(revision)
      return {
        id: String(revision.Id),
        at: Date.parse(revision.DateTime),
        kind,
        isPinned: revision.Pinned,
        label: texts.mark(revision.Id, all.timeLine.kinds[kind], revision.Pinned),
      }
    })
    .reverse()
}

/** What was backed up together: at most one revision of each volume. */
export interface BackupRun {
  readonly id: string
  /** When the last of it was backed up, in milliseconds since 1970. */
  readonly at: number
  readonly revisions: readonly Revision[]
}

/** Between the parts of one run passes less time. */
const gapMs = 3 * 3_600_000

/** Puts revisions of several volumes together that were backed up one after the other. Oldest first. */
export function runsOf(revisions: readonly Revision[]): readonly BackupRun[] {
  const runs: Revision[][] = []
  for (const revision of revisions.toSorted((one, other) => one.DateTime.localeCompare(other.DateTime))) {
    const run = runs.at(-1)
    const previous = run?.at(-1)
    const isSameRun =
      run !== undefined &&
      previous !== undefined &&
      Date.parse(revision.DateTime) - Date.parse(previous.DateTime) < gapMs &&
      !run.some(({ DeviceId }) => DeviceId === revision.DeviceId)
    if (isSameRun) run.push(revision)
    else runs.push([revision])
  }
  return runs.map((inside) => ({
    id: inside.map(({ Id }) => Id).join('-'),
    at: Math.max(...inside.map(({ DateTime }) => Date.parse(DateTime))),
    revisions: inside,
  }))
}

/** The runs of all volumes on one time line; a run is as good as its worst revision. */
export function momentsOfRuns(runs: readonly BackupRun[]): readonly Moment[] {
  return runs.map(({ id, at, revisions }) => {
    const kinds = revisions.map(kindOf)
    const kind =
      (['damaged', 'plain', 'verified', 'proved'] as const).find((one) => kinds.includes(one)) ?? 'plain'
    const isPinned = revisions.some(({ Pinned }) => Pinned)
    return { id, at, kind, isPinned, label: texts.runMark(revisions.length, all.timeLine.kinds[kind]) }
  })
}

/** What a volume is restored from, to be as it was at a moment. */
export interface Choice {
  readonly revision: Revision
  /** A newer one before the moment that is damaged and therefore not taken. */
  readonly damaged: Revision | undefined
}

/** The newest whole revision of each volume up to a moment, system volumes left out: they go with the boot volume of their disk. */
export function choicesAt(revisions: readonly Revision[], at: number): readonly Choice[] {
  const byVolume = Map.groupBy(
    revisions
      .filter(({ IsSystem, DateTime }) => !IsSystem && Date.parse(DateTime) <= at)
      .toSorted((one, other) => other.DateTime.localeCompare(one.DateTime)),
    ({ DeviceId }) => DeviceId,
  )
  return [...byVolume.values()].flatMap((ofVolume) => {
    const [newest] = ofVolume
    const whole = ofVolume.find((revision) => kindOf(revision) !== 'damaged')
    if (newest === undefined) return []
    return [{ revision: whole ?? newest, damaged: newest === whole ? undefined : newest }]
  })
}
