import { momentText } from '../../../format.ts'
import { type BackupRun, momentsOfRuns } from '../revision-moments.ts'
import { texts as all } from '../texts.ts'
import { Legend, TimeLine } from '../time-line.tsx'

const texts = all.restore

/** The moment to which volumes go back: the newest backup, or another one on the time line. */
export function When({
  runs,
  chosen,
  onChoose,
}: {
  readonly runs: readonly BackupRun[]
  readonly chosen: BackupRun | undefined
  readonly onChoose: (id: string) => void
}) {
  if (chosen === undefined) return null
  return (
    <>
      <p>
        {chosen === runs.at(-1) ? texts.newest : texts.earlier} <strong>{momentText(chosen.at)}</strong>
      </p>
      {runs.length > 1 && (
        <>
          <TimeLine
            label={texts.moments}
            moments={momentsOfRuns(runs)}
            chosen={chosen.id}
            onChoose={onChoose}
          />
          <Legend kinds={['proved', 'verified', 'plain', 'damaged']} />
        </>
      )}
    </>
  )
}
