import { useRef } from 'react'
import { bytesText, durationText } from '../../format.ts'
import { texts as all } from './texts.ts'

const texts = all.progress

/** What of a task its progress is seen by. */
export interface TaskProgress {
  readonly state: string
  readonly step: string
  readonly bytesDone: number
  readonly bytesTotal: number
  readonly percent: number
  readonly error: { readonly message: string } | null
}

/** How far a task is: step, bytes, bytes a second and the time that is left. */
export function Progress({ task }: { readonly task: TaskProgress }) {
  const { step, bytesDone, bytesTotal, percent, error } = task
  const rate = useRate(step, bytesDone)
  const left = rate > 0 ? (bytesTotal - bytesDone) / rate : undefined
  // Nobody knows how far a computer is that starts.
  const isCounted = bytesTotal > 0 && step !== 'proving'
  const figures = [
    stepText(task),
    ...(isCounted ? [texts.of(bytesText(bytesDone), bytesText(bytesTotal))] : []),
    ...(rate > 0 ? [texts.rate(bytesText(rate))] : []),
    ...(left !== undefined && left >= 1 ? [texts.left(durationText(left))] : []),
  ]
  const label = texts.label(percent)
  return (
    <div className="progress">
      {isCounted ? (
        <progress max={bytesTotal} value={bytesDone} aria-label={label} />
      ) : (
        <progress aria-label={stepText(task)} />
      )}
      <p>{task.state === 'CANCELING' ? texts.cancelling : figures.join(' · ')}</p>
      {error && <p>{error.message}</p>}
    </div>
  )
}

/** What a task does now. Until the agent has said anything, each is at a step that is called like a machine's last one. */
function stepText({ step, bytesTotal }: TaskProgress): string {
  if (step === 'starting' && bytesTotal === 0) return texts.begins
  return texts.steps[step as keyof typeof texts.steps] ?? step
}

/** Over so long a time the rate is told. */
const windowMs = 15_000

/** Bytes a second in the last seconds of a step; 0 while that is not known. */
function useRate(step: string, bytesDone: number): number {
  const samples = useRef<{ step: string; at: number; bytes: number }[]>([])
  const now = Date.now()
  const last = samples.current.at(-1)
  if (last?.step !== step || bytesDone < last.bytes) samples.current = [{ step, at: now, bytes: bytesDone }]
  else if (last.bytes !== bytesDone) samples.current.push({ step, at: now, bytes: bytesDone })
  samples.current = samples.current.filter(({ at }) => now - at <= windowMs)
  const [first] = samples.current
  const newest = samples.current.at(-1)
  if (first === undefined || newest === undefined || newest.at - first.at < 500) return 0
  return ((newest.bytes - first.bytes) * 1000) / (newest.at - first.at)
}
