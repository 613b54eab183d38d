import { Button, Loader } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Command, SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { texts as shared } from '../../../texts.ts'
import { Choice } from '../choice.tsx'
import { AgentMissing } from '../computers/agent-missing.tsx'
import { computerOptions, type Revision, root, useComputer, useMayChange } from '../data.ts'
import { type BackupRun, choicesAt, runsOf } from '../revision-moments.ts'
import type { RestorePlace } from '../routes.ts'
import { texts as all } from '../texts.ts'
import { DisksForm } from './disks-form.tsx'
import { MachineForm } from './machine-form.tsx'
import { What } from './what.tsx'
import { When } from './when.tsx'

const texts = all.restore
/** Rows of a page of revisions, which is all that there is of most computers. */
const pageLength = 1000
const places = ['folder', 'share', 'machine', 'proof'] as const

/** Leads from a moment to a restore: when, what, where. */
export function RestorePage() {
  const at = useComputer()
  const { account, computer, client, path } = at
  const isAllowed = useMayChange()
  const revisions = useInfiniteQuery({
    queryKey: ['backup', 'all revisions', path],
    queryFn: ({ pageParam: page }) =>
      answer(client.GET(`${root}/revisions`, { params: { path, query: { limit: pageLength, page } } })),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < pageLength ? undefined : pages.length + 1),
    refetchOnWindowFocus: false,
    enabled: isAllowed,
  })
  if (!isAllowed) return <NotAllowed />
  if (revisions.isError) return <Failure error={revisions.error} tryAgain={() => void revisions.refetch()} />
  if (!revisions.data) return <Loader aria-label={shared.loading} />
  const list = revisions.data.pages.flat()
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <AgentMissing />
      {list.length === 0 ? <p>{texts.nothing}</p> : <Guide revisions={list} />}
      {revisions.hasNextPage && (
        <Button
          variant="default"
          loading={revisions.isFetchingNextPage}
          onClick={() => void revisions.fetchNextPage()}
        >
          {texts.older}
        </Button>
      )}
      <SameCall
        palisade={`palisade backup restore ${computerOptions({ account, computer })} --revision 12 --to /srv/restored`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/restores`}
      />
    </>
  )
}

/** In the place of the guide, for those who may only read. */
function NotAllowed() {
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <p>{texts.notAllowed}</p>
    </>
  )
}

/** The three steps. Each has an answer from the beginning: the newest backup, all volumes, a folder. */
function Guide({ revisions }: { readonly revisions: readonly Revision[] }) {
  const search = useSearch({ from: '/shell/backup/computers/$account/$computer/restore' })
  const runs = runsOf(revisions.filter(({ IsSystem }) => !IsSystem))
  const wanted = revisions.find(({ Id }) => Id === search.revision)
  const [runId, setRunId] = useState<string>()
  const [place, setPlace] = useState<RestorePlace>(search.where ?? 'folder')
  const run = runs.find(({ id }) => id === runId) ?? runOf(runs, wanted) ?? runs.at(-1)
  const choices = run === undefined ? [] : choicesAt(revisions, run.at)
  // Who comes from one revision wants its volume; a machine needs all of them.
  const isOfOneVolume = wanted !== undefined && search.where !== 'proof'
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        isOfOneVolume
          ? choices.map(({ revision }) => revision.DeviceId).filter((id) => id !== wanted.DeviceId)
          : [],
      ),
  )
  const chosen = choices.map(({ revision }) => revision).filter(({ DeviceId }) => !left.has(DeviceId))
  const hasBoot = choices.some(({ revision }) => revision.IsBoot)
  const ids = chosen.map(({ Id }) => Id)
  const isMachine = place === 'machine' || place === 'proof'
  return (
    <ol className="guide">
      <li>
        <h2>{texts.when}</h2>
        <When runs={runs} chosen={run} onChoose={setRunId} />
      </li>
      <li>
        <h2>{texts.what}</h2>
        <What choices={choices} left={left} onChange={setLeft} />
      </li>
      <li>
        <h2>{texts.where}</h2>
        <div className="choices">
          {places.map((one) => (
            <Choice
              key={one}
              name="place"
              title={texts.places[one]}
              hint={texts.placeHints[one]}
              isChosen={place === one}
              isDisabled={!hasBoot && (one === 'machine' || one === 'proof')}
              onChoose={() => setPlace(one)}
            />
          ))}
        </div>
        {!hasBoot && <p className="quiet note">{texts.noBoot}</p>}
        {chosen.length === 0 ? (
          <p>{texts.chooseVolume}</p>
        ) : isMachine ? (
          <MachineForm key={place} revisions={chosen} isProof={place === 'proof'} />
        ) : (
          <DisksForm key={place} revisions={ids} isShare={place === 'share'} />
        )}
        {chosen.length > 0 && !isMachine && <SingleFiles revisions={ids} />}
      </li>
    </ol>
  )
}

/** The command that shows the files of what was chosen, for those who need no disk. */
function SingleFiles({ revisions }: { readonly revisions: readonly number[] }) {
  const { account, computer } = useComputer()
  return (
    <details>
      <summary>{all.singleFiles.title}</summary>
      <p>{all.singleFiles.hint}</p>
      <Command
        line={`palisade backup mount /mnt/backup --revision ${revisions.join(' ')} ${computerOptions({ account, computer })}`}
      />
    </details>
  )
}

function runOf(runs: readonly BackupRun[], wanted: Revision | undefined): BackupRun | undefined {
  return runs.find(({ revisions }) => revisions.some(({ Id }) => Id === wanted?.Id))
}
