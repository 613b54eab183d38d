import { Button, Group, Loader } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { bytesText } from '../../../format.ts'
import { texts as shared } from '../../../texts.ts'
import { AgentMissing } from '../computers/agent-missing.tsx'
import {
  computerOptions,
  type Revision,
  refreshMs,
  revisionsQuery,
  root,
  setsQuery,
  sourceText,
  useComputer,
  useIsOnline,
  useMayChange,
  volumeName,
  volumesQuery,
} from '../data.ts'
import { momentsOf } from '../revision-moments.ts'
import { texts as all } from '../texts.ts'
import { Legend, TimeLine } from '../time-line.tsx'
import { RevisionList } from './revision-list.tsx'

const texts = all.revisions

/** Every volume of a computer with the time line of its revisions. */
export function RevisionsPage() {
  const { account, computer, client, path } = useComputer()
  const volumes = useQuery({ ...volumesQuery(client, path), refetchInterval: refreshMs })
  if (volumes.isError) return <Failure error={volumes.error} tryAgain={() => void volumes.refetch()} />
  if (!volumes.data) return <Loader aria-label={shared.loading} />
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <AgentMissing isOnlyOfNew />
      {volumes.data.length === 0 ? (
        <NothingYet />
      ) : (
        <Legend kinds={['proved', 'verified', 'plain', 'damaged']} />
      )}
      {volumes.data.map((newest) => (
        <Volume key={newest.DeviceId} newest={newest} />
      ))}
      <SameCall
        palisade={`palisade backup revisions ${computerOptions({ account, computer })}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/revisions`}
      />
    </>
  )
}

/** What comes before the first backup: choosing what is backed up, or the set that will do it. */
function NothingYet() {
  const at = useComputer()
  const { account, computer } = at
  const isAllowed = useMayChange()
  const { data: sets } = useQuery(setsQuery(at))
  if (sets === undefined) return <Loader aria-label={shared.loading} />
  const set = sets.find(({ enabled }) => enabled) ?? sets[0]
  return (
    <p>
      {texts.nothing}{' '}
      {set === undefined ? (
        <Link
          className="link"
          to="/backup/computers/$account/$computer/sets/$set"
          params={{ account, computer, set: 'new' }}
        >
          {texts.makeSet}
        </Link>
      ) : (
        <>
          {set.enabled ? texts.setIs.on(set.name) : texts.setIs.paused(set.name)}{' '}
          {set.nextRun !== null && (
            <>
              {texts.setRunsNext} <Time at={set.nextRun} />.{' '}
            </>
          )}
          {isAllowed && (
            <Link
              className="link"
              to="/backup/computers/$account/$computer/sets"
              params={{ account, computer }}
            >
              {texts.runSet}
            </Link>
          )}
        </>
      )}
    </p>
  )
}

function Volume({ newest }: { readonly newest: Revision }) {
  const at = useComputer()
  const isOnline = useIsOnline(at)
  const isAllowed = useMayChange()
  const { account, computer, client, path } = at
  const queries = useQueryClient()
  const navigate = useNavigate()
  // Asked anew when another revision is the newest, or that was verified or proved.
  const revisions = useQuery({ ...revisionsQuery(at, newest.DeviceId), refetchInterval: refreshMs * 5 })
  const backup = useMutation({
    mutationFn: () =>
      answer(client.POST(`${root}/backups`, { params: { path }, body: { source: newest.Source } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['backup', 'running', path] }),
  })
  const list = revisions.data ?? []
  return (
    <section className="volume" aria-label={volumeName(newest)}>
      <Group justify="space-between" align="start">
        <div>
          <h2>{volumeName(newest)}</h2>
          <p className="quiet note">
            {[
              sourceText(newest.Source),
              newest.FileSystem,
              texts.used(bytesText(newest.UsedSpace), bytesText(newest.Capacity)),
              ...(newest.IsBoot ? [texts.boot] : []),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </p>
        </div>
        {isAllowed && (
          <Button
            variant="default"
            size="xs"
            loading={backup.isPending}
            disabled={isOnline === false}
            onClick={() => backup.mutate()}
          >
            {texts.backUpNow}
          </Button>
        )}
      </Group>
      {backup.error && <Failure error={backup.error} title={shared.refused} />}
      {revisions.error && <Failure error={revisions.error} />}
      {revisions.isPending && <Loader aria-label={shared.loading} />}
      <TimeLine
        label={texts.lineOf(volumeName(newest))}
        moments={momentsOf(list)}
        onChoose={(revision) =>
          void navigate({
            to: '/backup/computers/$account/$computer/revisions/$revision',
            params: { account, computer, revision },
          })
        }
      />
      {list.length > 0 && (
        <details>
          <summary>{texts.listOf(list.length)}</summary>
          <RevisionList title={texts.listTitle(volumeName(newest))} revisions={list} />
        </details>
      )}
    </section>
  )
}
