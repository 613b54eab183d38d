import { Button, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import { answer } from '@palisade/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { FormDialog, fieldText, filledMember } from '../../components/form-dialog.tsx'
import { Listing } from '../../components/listing.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { isOwner } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { describeGrants, GrantFields, readGrants } from './grants.tsx'
import { texts as all } from './texts.ts'

const texts = all.operators

/** The people and programs that administer Palisade. */
export function OperatorsPage() {
  const session = useSession()
  const { administration } = session
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {isOwner(session) && (
          <Button aria-haspopup="dialog" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )}
      </PageHead>
      <Listing
        title={texts.title}
        name={['operators']}
        read={(after) =>
          answer(
            administration.GET('/operators', {
              params: { query: { limit: 100, ...(after ? { after } : {}) } },
            }),
          )
        }
        idOf={({ username }) => username}
        columns={[
          [
            texts.username,
            ({ username }) => (
              <Link to="/operators/$operator" params={{ operator: username }}>
                {username}
              </Link>
            ),
          ],
          [texts.displayName, ({ displayName }) => displayName],
          [texts.grants, ({ grants }) => describeGrants(grants)],
          [
            texts.secondFactor,
            ({ secondFactor }) => (secondFactor === null ? texts.none : all.operator.factors[secondFactor]),
          ],
          [texts.lastLogin, ({ lastLoginAt }) => <Time at={lastLoginAt} />],
          [
            texts.state,
            ({ isDisabled }) => (
              <State state={isDisabled ? 'idle' : 'good'}>{isDisabled ? texts.disabled : texts.active}</State>
            ),
          ],
        ]}
      />
      <SameCall palisade="palisade operators list" path="/admin/v1/operators" />
      {isCreating && <CreateOperator onClose={() => setCreating(false)} />}
    </>
  )
}

function CreateOperator({ onClose }: { readonly onClose: () => void }) {
  const { administration } = useSession()
  const create = (form: FormData) => {
    const password = String(form.get('password') ?? '')
    const body = {
      username: fieldText(form, 'username'),
      ...filledMember(form, 'displayName'),
      password: password === '' ? null : password,
      grants: readGrants(form),
    }
    return answer(administration.POST('/operators', { body }))
  }
  return (
    <FormDialog
      title={texts.createTitle}
      action={texts.create}
      submit={create}
      refresh={[['operators']]}
      onClose={onClose}
    >
      <TextInput name="username" label={texts.username} required autoComplete="off" />
      <TextInput name="displayName" label={texts.displayName} autoComplete="off" />
      <PasswordInput
        name="password"
        label={texts.password}
        description={texts.passwordHelp}
        minLength={12}
        autoComplete="new-password"
      />
      <GrantFields grants={[{ role: 'auditor' }]} />
    </FormDialog>
  )
}
