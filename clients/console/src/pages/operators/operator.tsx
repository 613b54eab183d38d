import { Button, Checkbox, Group, Loader, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { type AdministrationSchemas, answer, shellWord } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { SameCall } from '../../components/command.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { Managed } from '../../components/managed.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Remove } from '../../components/remove.tsx'
import { isOwner } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useChange } from '../../use-change.ts'
import { useSession } from '../../use-session.ts'
import { GrantFields, readGrants } from './grants.tsx'
import { OperatorFacts } from './operator-facts.tsx'
import { Sessions } from './sessions.tsx'
import { texts as all } from './texts.ts'
import { Tokens } from './tokens.tsx'

const texts = all.operator
const route = getRouteApi('/shell/operators/$operator')

type Operator = AdministrationSchemas['schemas']['Operator']

/** One operator: what he may, and where he is logged in. */
export function OperatorPage() {
  const session = useSession()
  const { operator } = route.useParams()
  const item = new AdministeredItem<Operator>(session, 'operators', operator)
  const read = useQuery({ queryKey: ['operators', operator], queryFn: () => item.read() })
  if (read.isError) return <Failure error={read.error} tryAgain={() => void read.refetch()} />
  if (!read.data) return <Loader aria-label={shared.loading} />
  const { value, tag } = read.data
  const mayChange = isOwner(session)
  return (
    <>
      <Link to="/operators">{texts.all}</Link>
      <PageHead title={value.displayName || operator}>
        {mayChange && <OperatorActions operator={value} item={item} tag={tag} />}
      </PageHead>
      <Managed by={value.managedBy} />
      <section className="card">
        <OperatorFacts operator={value} />
      </section>
      <Sessions operator={operator} mayEnd={mayChange || operator === session.username} />
      <Tokens operator={operator} mayChange={mayChange || operator === session.username} />
      <SameCall
        palisade={`palisade operators show ${shellWord(operator)}`}
        path={`/admin/v1/operators/${encodeURIComponent(operator)}`}
      />
    </>
  )
}

function OperatorActions({
  operator,
  item,
  tag,
}: {
  readonly operator: Operator
  readonly item: AdministeredItem<Operator>
  readonly tag: string
}) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'change' | 'password' | 'factor'>()
  const { username } = operator
  const dialog = { refresh: [['operators']], onClose: () => setAsked(undefined) }
  const change = (form: FormData) =>
    item.change(
      {
        displayName: fieldText(form, 'displayName'),
        grants: readGrants(form),
        isDisabled: form.get('isDisabled') !== null,
      },
      tag,
    )
  const setPassword = (form: FormData) => item.change({ password: String(form.get('password')) }, tag)
  return (
    <Group gap="xs">
      {operator.managedBy === null && (
        <>
          <Button aria-haspopup="dialog" onClick={() => setAsked('change')}>
            {texts.change}
          </Button>
          {operator.identity === null && (
            <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked('password')}>
              {texts.reset}
            </Button>
          )}
        </>
      )}
      {operator.secondFactor === 'totp' && (
        <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked('factor')}>
          {texts.removeFactor}
        </Button>
      )}
      {operator.managedBy === null && (
        <Remove
          item={item}
          action={texts.remove}
          title={`${texts.remove} ${username}`}
          refresh={[['operators']]}
          onDone={() => void navigate({ to: '/operators' })}
        />
      )}
      {asked === 'change' && (
        <FormDialog
          title={`${texts.changeTitle} ${username}`}
          action={shared.save}
          submit={change}
          {...dialog}
        >
          <TextInput
            name="displayName"
            label={all.operators.displayName}
            defaultValue={operator.displayName}
            required
          />
          <GrantFields grants={operator.grants} />
          <Checkbox name="isDisabled" label={texts.disabledLabel} defaultChecked={operator.isDisabled} />
        </FormDialog>
      )}
      {asked === 'password' && (
        <FormDialog
          title={`${texts.resetTitle} ${username}`}
          action={texts.reset}
          submit={setPassword}
          {...dialog}
        >
          <PasswordInput
            name="password"
            label={texts.newPassword}
            description={texts.passwordHelp}
            minLength={12}
            required
            autoComplete="new-password"
          />
        </FormDialog>
      )}
      {asked === 'factor' && <RemoveFactor username={username} {...dialog} />}
    </Group>
  )
}

/** Removes the second factor of somebody who has lost it. */
function RemoveFactor({
  username,
  refresh,
  onClose,
}: {
  readonly username: string
  readonly refresh: readonly (readonly string[])[]
  readonly onClose: () => void
}) {
  const { administration } = useSession()
  const path = { operator: username }
  const removal = useChange(
    () => answer(administration.POST('/operators/{operator}/totp-remove', { params: { path }, body: {} })),
    { refresh, onDone: onClose },
  )
  return (
    <Confirm
      title={`${texts.removeFactorTitle} ${username}`}
      action={texts.removeFactor}
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeFactorHelp}</p>
    </Confirm>
  )
}
