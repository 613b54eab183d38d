import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { bytesText, momentText } from '../../../format.ts'
import { sourceText, volumeName } from '../data.ts'
import { type Choice, kindOf } from '../revision-moments.ts'
import { texts as all } from '../texts.ts'

const texts = all.restore

/** The volumes that there are at the moment, all chosen unless somebody leaves some. */
export function What({
  choices,
  left,
  onChange,
}: {
  readonly choices: readonly Choice[]
  /** The devices of those that are left out. */
  readonly left: ReadonlySet<string>
  readonly onChange: (left: ReadonlySet<string>) => void
}) {
  const leave = (deviceId: string, isLeft: boolean) => {
    const next = new Set(left)
    if (isLeft) next.add(deviceId)
    else next.delete(deviceId)
    onChange(next)
  }
  return (
    <div className="volume-boxes">
      {choices.map(({ revision, damaged }) => (
        <Checkbox
          key={revision.DeviceId}
          label={
            <>
              <strong>{volumeName(revision)}</strong>
              {revision.IsBoot && ` (${texts.boot})`}
            </>
          }
          description={[
            ...(volumeName(revision) === sourceText(revision.Source) ? [] : [sourceText(revision.Source)]),
            texts.asOf(momentText(revision.DateTime)),
            bytesText(revision.Capacity),
            ...(kindOf(revision) === 'damaged' ? [texts.onlyDamaged] : []),
            ...(damaged === undefined ? [] : [texts.insteadOf(momentText(damaged.DateTime))]),
          ].join(' · ')}
          checked={!left.has(revision.DeviceId)}
          onChange={({ currentTarget: { checked } }) => leave(revision.DeviceId, !checked)}
        />
      ))}
    </div>
  )
}
