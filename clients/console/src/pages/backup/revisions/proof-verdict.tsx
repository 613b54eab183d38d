import { Time } from '../../../components/time.tsx'
import { durationText } from '../../../format.ts'
import { useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.proof

/** Whether a machine has started, why that is believed, and the picture of its screen at that moment. */
export function ProofVerdict({
  proof: { state, reason, tookMilliseconds },
  screenshotOf,
  at,
}: {
  readonly proof: {
    readonly state: 'RUNS' | 'FAILS' | 'UNCLEAR'
    readonly reason: string
    readonly tookMilliseconds: number
  }
  /** The revision with the picture; undefined where there is none. */
  readonly screenshotOf: number | undefined
  readonly at?: string
}) {
  const { account, computer } = useComputer()
  const base = `/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}`
  return (
    <>
      <p>
        <strong>{texts.states[state]}</strong> {reason} {texts.took(durationText(tookMilliseconds / 1000))}
        {at !== undefined && (
          <>
            {' '}
            <Time at={at} />
          </>
        )}
      </p>
      {screenshotOf !== undefined && (
        <img
          className="screenshot"
          src={`${base}/revisions/${screenshotOf}/proof/screenshot?at=${encodeURIComponent(at ?? '')}`}
          alt={texts.screenshot}
        />
      )}
    </>
  )
}
