import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { bytesText, momentText } from '../../../format.ts'
import { texts as shared } from '../../../texts.ts'
import {
  computerOptions,
  type Revision,
  revisionQuery,
  revisionsQuery,
  sourceText,
  useComputer,
  useMayChange,
  volumeName,
} from '../data.ts'
import { kindOf, momentsOf } from '../revision-moments.ts'
import { texts as all } from '../texts.ts'
import { Legend, TimeLine } from '../time-line.tsx'
import { ProofVerdict } from './proof-verdict.tsx'
import { RevisionActions } from './revision-actions.tsx'

const texts = all.revision

/** One revision, on the time line of its volume: what it is, how good it is, and what can be done with it. */
export function RevisionPage() {
  const at = useComputer()
  const { account, computer } = at
  const navigate = useNavigate()
  const isAllowed = useMayChange()
  const id = Number(useParams({ strict: false }).revision)
  const shown = useQuery(revisionQuery(at, id))
  const deviceId = shown.data?.DeviceId
  const all = useQuery({ ...revisionsQuery(at, deviceId ?? ''), enabled: deviceId !== undefined })
  if (shown.isError) return <Failure error={shown.error} tryAgain={() => void shown.refetch()} />
  if (!shown.data) return <Loader aria-label={shared.loading} />
  const revision = shown.data
  return (
    <>
      <h1 className="page-title">{texts.title(volumeName(revision), momentText(revision.DateTime))}</h1>
      <TimeLine
        label={texts.others}
        moments={momentsOf(all.data ?? [])}
        chosen={String(id)}
        onChoose={(other) =>
          void navigate({
            to: '/backup/computers/$account/$computer/revisions/$revision',
            params: { account, computer, revision: other },
          })
        }
      />
      <Legend kinds={['proved', 'verified', 'plain', 'damaged']} />
      <Facts revision={revision} />
      {isAllowed && <RevisionActions key={id} revision={revision} />}
      {revision.Proof && (
        <>
          <h2 className="section-title">{texts.proof}</h2>
          <ProofVerdict
            proof={{
              state: revision.Proof.State,
              reason: revision.Proof.Reason,
              tookMilliseconds: revision.Proof.TookMilliseconds,
            }}
            screenshotOf={revision.Proof.HasScreenshot ? id : undefined}
            at={revision.Proof.DateTime}
          />
        </>
      )}
      <SameCall
        palisade={`palisade backup revisions show ${id} ${computerOptions({ account, computer })}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/revisions/${id}`}
      />
    </>
  )
}

function Facts({ revision }: { readonly revision: Revision }) {
  const { Id, Source, HostName, FileSystem, UsedSpace, Capacity, BackupSetName, IsBoot, EndToEnd } = revision
  const { Verification, LastProvedBootable, Pinned } = revision
  return (
    <dl className="facts">
      <dt>{texts.id}</dt>
      <dd>{Id}</dd>
      <dt>{texts.state}</dt>
      <dd>
        <span className="outcome">
          <span className="time-line-sample" data-kind={kindOf(revision)} aria-hidden="true">
            {all.timeLine.glyphs[kindOf(revision)]}
          </span>
          {all.timeLine.kinds[kindOf(revision)]}
        </span>
      </dd>
      <dt>{texts.origin}</dt>
      <dd>{[sourceText(Source), HostName].filter(Boolean).join(texts.ofHost)}</dd>
      <dt>{texts.size}</dt>
      <dd>
        {texts.used(bytesText(UsedSpace), bytesText(Capacity))}
        {FileSystem === '' ? '' : `, ${FileSystem}`}
      </dd>
      <dt>{texts.set}</dt>
      <dd>{BackupSetName ?? texts.noSet}</dd>
      <dt>{texts.verified}</dt>
      <dd>
        {Verification === null ? (
          shared.never
        ) : (
          <>
            <Time at={Verification.DateTime} />
            {Verification.State === 'DAMAGED'
              ? `: ${Verification.Message}`
              : `, ${texts.sample(Verification.SamplePercent)}`}
          </>
        )}
      </dd>
      <dt>{texts.lastProved}</dt>
      <dd>
        <Time at={LastProvedBootable} />
      </dd>
      <dt>{texts.boot}</dt>
      <dd>{IsBoot ? shared.yes : shared.no}</dd>
      <dt>{texts.pinned}</dt>
      <dd>{Pinned ? texts.pinnedMeans : shared.no}</dd>
      {EndToEnd && (
        <>
          <dt>{texts.endToEnd}</dt>
          <dd>{texts.endToEndMeans}</dd>
        </>
      )}
    </dl>
  )
}
