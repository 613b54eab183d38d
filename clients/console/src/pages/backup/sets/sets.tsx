import { Button, Group, Loader } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { texts as shared } from '../../../texts.ts'
import { ActionProgress } from '../action-progress.tsx'
import {
  type BackupSet,
  computerOptions,
  refreshMs,
  root,
  seenVolumesQuery,
  setsQuery,
  sourceText,
  useComputer,
  useIsOnline,
  useMayChange,
  volumeName,
  volumesQuery,
} from '../data.ts'
import { texts as all } from '../texts.ts'
import { DeleteSet } from './delete-set.tsx'
import { scheduleText } from './schedule-text.ts'

const texts = all.sets

/** What of a computer is backed up by itself, and when. */
export function SetsPage() {
  const at = useComputer()
  const { account, computer } = at
  const isAllowed = useMayChange()
  const sets = useQuery({ ...setsQuery(at), refetchInterval: refreshMs * 2 })
  if (sets.isError) return <Failure error={sets.error} tryAgain={() => void sets.refetch()} />
  if (!sets.data) return <Loader aria-label={shared.loading} />
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      {sets.data.length === 0 && <p>{texts.nothing}</p>}
      {sets.data.map((set) => (
        <SetCard key={set.id} set={set} />
      ))}
      {isAllowed && (
        <Link
          className="action-link"
          to="/backup/computers/$account/$computer/sets/$set"
          params={{ account, computer, set: 'new' }}
        >
          {texts.make}
        </Link>
      )}
      <SameCall
        palisade={`palisade backup sets ${computerOptions({ account, computer })}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/backupsets`}
      />
    </>
  )
}

function SetCard({ set }: { readonly set: BackupSet }) {
  const { account, computer, client, path } = useComputer()
  const queries = useQueryClient()
  const [action, setAction] = useState<string>()
  const [isDeleting, setIsDeleting] = useState(false)
  const isAllowed = useMayChange()
  const nameOf = useVolumeNames(set)
  const {
    id,
    name,
    enabled,
    selection,
    schedule,
    timeZone,
    nextRun,
    lastRun,
    nextProof,
    lastProof,
    warning,
  } = set
  const params = { path }
  const changed = () => queries.invalidateQueries({ queryKey: ['backup'] })
  const run = useMutation({
    mutationFn: () => answer(client.POST(`${root}/backupsets/run`, { params, body: { backupSetId: id } })),
    async onSuccess({ data }) {
      setAction(data.id)
      await changed()
    },
  })
  const toggle = useMutation({
    mutationFn: () =>
      answer(
        client.POST(`${root}/backupsets/toggle`, { params, body: { backupSetId: id, value: !enabled } }),
      ),
    onSuccess: changed,
  })
  const failure = run.error ?? toggle.error
  const link = (
    <Link
      className="action-link"
      data-quiet
      to="/backup/computers/$account/$computer/sets/$set"
      params={{ account, computer, set: id }}
    >
      {isAllowed ? texts.change : texts.look}
    </Link>
  )
  return (
    <section className="volume" aria-label={name}>
      <h2>{name}</h2>
      <dl className="facts">
        <dt>{texts.volumes}</dt>
        <dd>{selection.map(nameOf).join(', ')}</dd>
        <dt>{texts.when}</dt>
        <dd>
          {schedule.map(scheduleText).join('; ')} ({timeZone})
        </dd>
        <dt>{texts.nextRun}</dt>
        <dd>{enabled ? <Time at={nextRun} /> : texts.paused}</dd>
        <dt>{texts.lastRun}</dt>
        <dd>
          {lastRun === null ? (
            shared.never
          ) : (
            <>
              <Time at={lastRun.ended ?? lastRun.created} />: {texts.states[lastRun.state]} {lastRun.reason}
            </>
          )}
        </dd>
        {nextProof !== null && (
          <>
            <dt>{texts.nextProof}</dt>
            <dd>
              <Time at={nextProof} />
            </dd>
          </>
        )}
        {lastProof !== null && (
          <>
            <dt>{texts.lastProof}</dt>
            <dd>
              <Time at={lastProof.ended ?? lastProof.created} />: {texts.proofStates[lastProof.state]}{' '}
              {lastProof.reason}{' '}
              <Link
                className="link"
                to="/backup/computers/$account/$computer/machines"
                params={{ account, computer }}
              >
                {texts.screen}
              </Link>
            </dd>
          </>
        )}
      </dl>
      {warning && <p>{warning}</p>}
      {failure && <Failure error={failure} title={shared.refused} />}
      {action && <ActionProgress key={action} id={action} onEnd={() => void changed()} />}
      {!isAllowed && link}
      {isAllowed && (
        <Group mt="sm">
          <Button loading={run.isPending} onClick={() => run.mutate()}>
            {texts.run}
          </Button>
          {link}
          <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
            {enabled ? texts.pause : texts.resume}
          </Button>
          <Button variant="default" aria-haspopup="dialog" onClick={() => setIsDeleting(true)}>
            {texts.delete}
          </Button>
        </Group>
      )}
      {isDeleting && <DeleteSet set={set} onClose={() => setIsDeleting(false)} onDeleted={changed} />}
    </section>
  )
}

/** What people call the volumes of a set: it names them by ids, which stay when a device gets another name. */
function useVolumeNames({ selection }: BackupSet): (selected: BackupSet['selection'][number]) => string {
  const at = useComputer()
  const isOnline = useIsOnline(at)
  const backedUp = useQuery(volumesQuery(at.client, at.path))
  const names = new Map(backedUp.data?.map((revision) => [revision.DeviceId, volumeName(revision)]))
  const hasOthers = selection.some(
    (one) => typeof one === 'string' && one.startsWith('\\\\?') && !names.has(one),
  )
  const seen = useQuery({
    ...seenVolumesQuery(at),
    enabled: backedUp.isSuccess && hasOthers && isOnline === true,
  })
  for (const { deviceId, source } of seen.data ?? []) {
    if (source && !names.has(deviceId)) names.set(deviceId, sourceText(source))
  }
  return (one) => {
    if (one === '%All%') return texts.everything
    return names.get(sourceText(one)) ?? sourceText(one)
  }
}
