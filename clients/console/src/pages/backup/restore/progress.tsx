import { Alert, Button, Group, Loader } from '@mantine/core'
import { answer, shellWord } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../../components/command.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { bytesText } from '../../../format.ts'
import { texts as shared } from '../../../texts.ts'
import {
  computerOptions,
  hasEnded,
  type Restore,
  restoreQuery,
  root,
  sourceText,
  useComputer,
  useMayChange,
} from '../data.ts'
import { Progress } from '../progress-bar.tsx'
import { ProofVerdict } from '../revisions/proof-verdict.tsx'
import { texts as all } from '../texts.ts'
import { DiskFiles } from './disk-files.tsx'
import { MachineResult } from './machine-result.tsx'

const texts = all.restoreProgress

/** One restore: how far it is, and what came of it. */
export function RestoreProgressPage() {
  const at = useComputer()
  const { account, computer } = at
  const id = String(useParams({ strict: false }).restore)
  const restore = useQuery(restoreQuery(at, id))
  if (restore.isError) return <Failure error={restore.error} tryAgain={() => void restore.refetch()} />
  if (!restore.data) return <Loader aria-label={shared.loading} />
  return (
    <>
      <h1 className="page-title">{texts.titles[titleOf(restore.data)]}</h1>
      <div aria-live="polite">
        {hasEnded(restore.data) ? <Result restore={restore.data} /> : <Running restore={restore.data} />}
      </div>
      <Facts restore={restore.data} />
      <SameCall
        palisade={`palisade backup restores follow ${shellWord(id)} ${computerOptions({ account, computer })}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/restores/${id}`}
      />
    </>
  )
}

function titleOf(restore: Restore): keyof typeof texts.titles {
  if (!hasEnded(restore)) return 'runs'
  if (restore.state === 'CANCELED') return 'cancelled'
  if (restore.state !== 'SUCCESS') return 'failed'
  if (restore.diskFormat === 'Raw') return 'served'
  return restore.proof === null ? 'succeeded' : 'proved'
}

function Running({ restore }: { readonly restore: Restore }) {
  const { client, path } = useComputer()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const isAllowed = useMayChange()
  const cancellation = useMutation({
    mutationFn: () =>
      answer(client.POST(`${root}/restores/{id}/cancel`, { params: { path: { ...path, id: restore.id } } })),
    async onSuccess() {
      setIsAsked(false)
      await queries.invalidateQueries({ queryKey: ['backup'] })
    },
  })
  return (
    <>
      <Progress task={restore} />
      {restore.served && restore.served.failures > 0 && (
        <p>{texts.failures(restore.served.failures, restore.served.lastFailure ?? '')}</p>
      )}
      {restore.machine?.state === 'STARTED' && <p>{texts.runsAlready(restore.machine.name)}</p>}
      {isAllowed && (
        <Button
          variant="default"
          disabled={restore.state === 'CANCELING'}
          aria-haspopup="dialog"
          onClick={() => setIsAsked(true)}
        >
          {texts.cancel}
        </Button>
      )}
      {isAsked && (
        <Confirm
          title={texts.cancel}
          action={texts.cancel}
          isPending={cancellation.isPending}
          error={cancellation.error}
          onConfirm={() => cancellation.mutate()}
          onClose={() => setIsAsked(false)}
        >
          <p>{texts.cancelLoss}</p>
        </Confirm>
      )}
    </>
  )
}

function Result({ restore }: { readonly restore: Restore }) {
  const { account, computer } = useComputer()
  const { state, error, files, machine, proof, volumes, diskFormat } = restore
  if (state !== 'SUCCESS') {
    return (
      <>
        <Alert color={state === 'CANCELED' ? 'gray' : 'red'} title={texts.titles[titleOf(restore)]}>
          <p>{error?.message ?? texts.nothingLeft}</p>
          {error && <p className="quiet note">{error.code}</p>}
        </Alert>
        <Group mt="md">
          <Link
            className="action-link"
            to="/backup/computers/$account/$computer/restore"
            params={{ account, computer }}
          >
            {texts.again}
          </Link>
        </Group>
      </>
    )
  }
  if (proof !== null) {
    const boot = volumes.find(({ isBoot }) => isBoot) ?? volumes[0]
    return <Proof proof={proof} revision={boot?.revisionId} />
  }
  if (diskFormat === 'Raw') return <p>{texts.served}</p>
  return machine === null ? (
    <DiskFiles destination={restore.destination.path} files={files} />
  ) : (
    <MachineResult restore={restore} machine={machine} />
  )
}

/** What is restored next, after each verdict. */
const nextPlaces = { RUNS: 'machine', FAILS: 'proof', UNCLEAR: 'proof' } as const

/** The verdict of a proof, with the picture that is kept with the revision, and what can be done next. */
function Proof({
  proof,
  revision,
}: {
  readonly proof: NonNullable<Restore['proof']>
  readonly revision: number | undefined
}) {
  const { account, computer, client, path } = useComputer()
  const isAllowed = useMayChange()
  const { data } = useQuery({
    queryKey: ['backup', 'proof of', path, revision],
    queryFn: () =>
      answer(client.GET(`${root}/revisions/{id}`, { params: { path: { ...path, id: String(revision) } } })),
    enabled: revision !== undefined,
  })
  return (
    <>
      <ProofVerdict
        proof={proof}
        screenshotOf={data?.Proof?.HasScreenshot ? revision : undefined}
        {...(data?.Proof ? { at: data.Proof.DateTime } : {})}
      />
      {isAllowed && (
        <>
          <p>{texts.proofNext[proof.state]}</p>
          <Link
            className="action-link"
            to="/backup/computers/$account/$computer/restore"
            params={{ account, computer }}
            search={{ where: nextPlaces[proof.state] }}
          >
            {texts.proofNextAction[proof.state]}
          </Link>
        </>
      )}
    </>
  )
}

function Facts({ restore }: { readonly restore: Restore }) {
  const { started, ended, volumes, destination, diskFormat, served } = restore
  return (
    <>
      <h2 className="section-title">{texts.facts}</h2>
      <dl className="facts">
        <dt>{texts.started}</dt>
        <dd>
          <Time at={started} />
        </dd>
        {ended !== null && (
          <>
            <dt>{texts.ended}</dt>
            <dd>
              <Time at={ended} />
            </dd>
          </>
        )}
        <dt>{texts.volumes}</dt>
        <dd>
          <ul className="newest-backups">
            {volumes.map(({ revisionId, label, driveLetter, source, capacity }) => (
              <li key={revisionId}>
                {[driveLetter, label, sourceText(source)].filter(Boolean).join(' ')}, {bytesText(capacity)}
                {texts.revision(revisionId)}
              </li>
            ))}
          </ul>
        </dd>
        <dt>{texts.destination}</dt>
        <dd>
          {diskFormat === 'Raw'
            ? served === null
              ? texts.servedSoon
              : texts.servedAt(served.socketPath)
            : `${destination.path}, ${diskFormat.toUpperCase()}`}
        </dd>
      </dl>
    </>
  )
}
