import { Button, Group, TextInput } from '@mantine/core'
import { type AdministrationClient, type AdministrationSchemas, answer, shellWord } from '@palisade/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../../components/command.tsx'
import { Listing } from '../../../components/listing.tsx'
import { State } from '../../../components/state.tsx'
import { Time } from '../../../components/time.tsx'
import { mayChange } from '../../../rights.ts'
import { useSession } from '../../../use-session.ts'
import { ChooseAccount } from '../account/choose-account.tsx'
import { Deleted } from '../account/deleted.tsx'
import { type Revision, volumeName, volumesQuery } from '../data.ts'
import { kindOf } from '../revision-moments.ts'
import { texts as all } from '../texts.ts'
import { AddComputer } from './add-computer.tsx'
import { AgentState } from './agent-state.tsx'

const texts = all.computers
/** Of so many computers at once the newest backups are asked for. */
const pageLength = 25
/** Agents come and go, and backups end. */
const refreshMs = 10_000

type Listed = AdministrationSchemas['schemas']['ComputerPage']['items'][number]

/** The computers of an account: whether their agents are there, and what was backed up last. */
export function ComputersPage() {
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <ChooseAccount>{(account) => <Computers key={account} account={account} />}</ChooseAccount>
    </>
  )
}

function Computers({ account }: { readonly account: string }) {
  const session = useSession()
  const { administration } = session
  const isAllowed = mayChange(session, 'backup', account)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const read = (after: string | undefined, deleted: boolean) =>
    computersOf(administration, account, { after, name, deleted })
  return (
    <>
      <Group mb="md" align="end">
        <TextInput
          label={texts.find}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        {isAllowed && (
          <Button aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
            {texts.add}
          </Button>
        )}
      </Group>
      <Listing
        title={texts.title}
        name={['backup', 'computers', account, name]}
        read={(after) => read(after, false)}
        refetchMs={refreshMs}
        idOf={({ id }) => id}
        columns={[
          [
            texts.computer,
            ({ id, name: called }) => (
              <Link
                className="link"
                to="/backup/computers/$account/$computer"
                params={{ account, computer: id }}
              >
                {called === id ? id : `${called} (${id})`}
              </Link>
            ),
          ],
          [texts.agent, (computer) => <AgentState computer={withLastSeen(computer)} />],
          [texts.version, ({ agentVersion }) => agentVersion ?? ''],
          [
            texts.lastBackup,
            ({ id, isEnrolled, hasBackupSet }) => (
              <>
                <NewestBackups account={account} computer={id} />
                {isEnrolled && !hasBackupSet && (
                  <WithoutSet account={account} computer={id} isAllowed={isAllowed} />
                )}
              </>
            ),
          ],
        ]}
      />
      <Deleted
        name={['backup', 'deleted computers', account]}
        read={() => computersOf(administration, account, { after: undefined, name: '', deleted: true })}
        titleOf={({ id, name: called }) => `${called} (${id})`}
        idOf={({ id }) => id}
        takeBack={({ id }) =>
          answer(
            administration.POST('/backup/accounts/{account}/computers/{computer}/undelete', {
              params: { path: { account, computer: id } },
            }),
          )
        }
        isAllowed={isAllowed}
        onTakenBack={() => void queries.invalidateQueries({ queryKey: ['backup'] })}
      />
      <SameCall
        palisade={`palisade backup computers --account ${shellWord(account)}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers`}
      />
      {isAdding && <AddComputer account={account} onClose={() => setIsAdding(false)} />}
    </>
  )
}

/** When each volume of a computer was backed up last, where that backup is not damaged. */
function NewestBackups({ account, computer }: { readonly account: string; readonly computer: string }) {
  const { backup } = useSession()
  const path = { account_id: account, computer_id: computer }
  const { data } = useQuery({ ...volumesQuery(backup, path), refetchInterval: refreshMs })
  if (data === undefined) return null
  if (data.length === 0) return texts.noBackup
  return (
    <ul className="newest-backups">
      {data.map((revision) => (
        <li key={revision.DeviceId}>
          <Newest revision={revision} />
        </li>
      ))}
    </ul>
  )
}

/** Said of a computer that has an agent, and nothing that backs it up. */
function WithoutSet({
  account,
  computer,
  isAllowed,
}: {
  readonly account: string
  readonly computer: string
  readonly isAllowed: boolean
}) {
  return (
    <div>
      <State state="warning">{texts.withoutSet}</State>{' '}
      {isAllowed && (
        <Link
          className="link"
          to="/backup/computers/$account/$computer/sets/$set"
          params={{ account, computer, set: 'new' }}
        >
          {texts.chooseBackedUp}
        </Link>
      )}
    </div>
  )
}

function Newest({ revision }: { readonly revision: Revision }) {
  return (
    <>
      <Time at={revision.DateTime} /> {volumeName(revision)}
      {kindOf(revision) === 'damaged' && <strong> {texts.damaged}</strong>}
    </>
  )
}

function withLastSeen({ online, lastSeenAt }: Listed) {
  return { online, lastSeen: lastSeenAt }
}

function computersOf(
  administration: AdministrationClient,
  account: string,
  {
    after,
    name,
    deleted,
  }: { readonly after: string | undefined; readonly name: string; readonly deleted: boolean },
) {
  return answer(
    administration.GET('/backup/accounts/{account}/computers', {
      params: {
        path: { account },
        query: {
          limit: pageLength,
          ...(after === undefined ? {} : { after }),
          ...(name === '' ? {} : { name }),
          ...(deleted ? { deleted: 'true' as const } : {}),
        },
      },
    }),
  )
}
