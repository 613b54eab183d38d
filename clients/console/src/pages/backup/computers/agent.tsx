import { Button, Group, Loader, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { AdministeredItem } from '../../../administered-item.ts'
import { SameCall } from '../../../components/command.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Remove } from '../../../components/remove.tsx'
import { Time } from '../../../components/time.tsx'
import { texts as shared } from '../../../texts.ts'
import { useChange } from '../../../use-change.ts'
import { useSession } from '../../../use-session.ts'
import { computerOptions, computerQuery, root, useComputer, useMayChange, volumesQuery } from '../data.ts'
import { texts as all } from '../texts.ts'
import { EnrolmentSteps } from './enrolment.tsx'

const texts = all.agent
const resource = '/backup/accounts/{account}/computers/{computer}'

/** The agent of a computer: how it is, how another one takes its place, how it is shut out; and the end of the computer. */
export function AgentPage() {
  const at = useComputer()
  const session = useSession()
  const { administration } = session
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { account, computer, client, path } = at
  const params = { path: { account, computer } }
  const [asked, setAsked] = useState<'revoke' | 'forget'>()
  const shown = useQuery(computerQuery(at))
  const volumes = useQuery(volumesQuery(client, path))
  const isAllowed = useMayChange()
  const changed = () => queries.invalidateQueries({ queryKey: ['backup'] })
  const closed = () => setAsked(undefined)
  const done = { onSuccess: () => Promise.all([changed(), closed()]) }
  const key = useMutation({
    mutationFn: () => answer(administration.POST(`${resource}/enrolment-key`, { params })),
  })
  const revocation = useMutation({
    mutationFn: () => answer(client.DELETE(`${root}/credential`, { params: { path } })),
    ...done,
  })
  const forgetting = useMutation({
    mutationFn: () => answer(client.DELETE(`${root}/end-to-end-key`, { params: { path } })),
    ...done,
  })
  if (shown.isError) return <Failure error={shown.error} tryAgain={() => void shown.refetch()} />
  if (!shown.data) return <Loader aria-label={shared.loading} />
  const { name, online, lastSeen, agentVersion, hostName, platform, endToEnd, endToEndKeyCheck } = shown.data
  const isNew = lastSeen === null
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <dl className="facts">
        <dt>{texts.online}</dt>
        <dd>{online ? shared.yes : shared.no}</dd>
        <dt>{texts.lastSeen}</dt>
        <dd>
          <Time at={lastSeen} />
        </dd>
        <dt>{texts.host}</dt>
        <dd>{[hostName, platform].filter(Boolean).join(', ')}</dd>
        <dt>{texts.version}</dt>
        <dd>{agentVersion}</dd>
        <dt>{texts.key}</dt>
        <dd>{endToEnd ? texts.ownKey(endToEndKeyCheck ?? '') : texts.serverKey}</dd>
      </dl>
      {isAllowed && (
        <>
          <Rename key={name} name={name} />
          <h2 className="section-title">{isNew ? texts.first : texts.replace}</h2>
          <p>{isNew ? texts.firstWhy : texts.replaceWhy}</p>
          {key.error && <Failure error={key.error} title={shared.refused} />}
          {key.data ? (
            <EnrolmentSteps
              account={account}
              computer={computer}
              enrolmentKey={key.data.enrolmentKey}
              wasOnline={key.data.online}
              hasBackups={(volumes.data?.length ?? 0) > 0}
            />
          ) : (
            <Button
              variant={isNew ? 'filled' : 'default'}
              loading={key.isPending}
              onClick={() => key.mutate()}
            >
              {isNew ? texts.makeFirstKey : texts.makeKey}
            </Button>
          )}
          <h2 className="section-title">{texts.danger}</h2>
          <Group>
            <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked('revoke')}>
              {texts.revoke}
            </Button>
            {endToEnd && (
              <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked('forget')}>
                {texts.forget}
              </Button>
            )}
            <Remove
              item={new AdministeredItem(session, 'backup', 'accounts', account, 'computers', computer)}
              action={texts.delete}
              title={texts.deleteTitle(name)}
              size="sm"
              refresh={[
                ['backup', 'computers'],
                ['backup', 'deleted computers'],
              ]}
              onDone={() => void navigate({ to: '/backup/computers', search: { account } })}
            />
          </Group>
        </>
      )}
      <SameCall
        palisade={`palisade backup computers show ${computerOptions({ account, computer })}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}`}
      />
      {asked === 'revoke' && (
        <Confirm
          title={texts.revoke}
          action={texts.revoke}
          isPending={revocation.isPending}
          error={revocation.error}
          onConfirm={() => revocation.mutate()}
          onClose={closed}
        >
          <p>{texts.revokeLoss}</p>
        </Confirm>
      )}
      {asked === 'forget' && (
        <Confirm
          title={texts.forget}
          action={texts.forget}
          isPending={forgetting.isPending}
          error={forgetting.error}
          onConfirm={() => forgetting.mutate()}
          onClose={closed}
        >
          <p>{texts.forgetLoss}</p>
        </Confirm>
      )}
    </>
  )
}

/** Another name of the computer; its id stays. */
function Rename({ name }: { readonly name: string }) {
  const { account, computer } = useComputer()
  const session = useSession()
  const item = new AdministeredItem(session, 'backup', 'accounts', account, 'computers', computer)
  const change = useChange(
    async (body: { readonly name: string }) => item.change(body, (await item.read()).tag),
    { refresh: [['backup']] },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change.mutate({ name: String(new FormData(event.currentTarget).get('name')) })
  }
  return (
    <form onSubmit={submit}>
      <Group mt="md" align="end">
        <TextInput name="name" label={texts.name} defaultValue={name} required />
        <Button type="submit" variant="default" loading={change.isPending}>
          {texts.rename}
        </Button>
      </Group>
      {change.error && <Failure error={change.error} title={shared.refused} />}
    </form>
  )
}
