import { Button, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Combobox.css'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { FormDialog, fieldText, filledMember } from '../../components/form-dialog.tsx'
import { Listing } from '../../components/listing.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { State } from '../../components/state.tsx'
import { pageQuery } from '../../read-all.ts'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.accounts
const statuses = ['ACTIVE', 'SUSPENDED', 'DISABLED'] as const

/** The accounts of the email service. */
export function EmailAccountsPage() {
  const session = useSession()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {mayChange(session, 'email') && (
          <Button aria-haspopup="dialog" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )}
      </PageHead>
      <Listing
        title={texts.title}
        name={['email-accounts']}
        read={(after) =>
          answer(session.administration.GET('/email/accounts', { params: { query: pageQuery(after) } }))
        }
        idOf={({ id }) => id}
        columns={[
          [
            texts.id,
            ({ id }) => (
              <Link to="/email/accounts/$account" params={{ account: id }}>
                {id}
              </Link>
            ),
          ],
          [texts.name, ({ name }) => name],
          [texts.region, ({ region }) => region],
          [texts.status, ({ status }) => <AccountState status={status} />],
        ]}
      />
      <SameCall palisade="palisade email accounts list" path="/admin/v1/email/accounts" />
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
    </>
  )
}

/** Whether an account is active. */
export function AccountState({ status }: { readonly status: string }) {
  const words = statuses.find((one) => one === status)
  return <State state={status === 'ACTIVE' ? 'good' : 'idle'}>{words ? texts.statuses[words] : status}</State>
}

function CreateAccount({ onClose }: { readonly onClose: () => void }) {
  const { administration } = useSession()
  const create = (form: FormData) =>
    answer(
      administration.POST('/email/accounts', {
        body: { id: fieldText(form, 'id'), ...readAccountFields(form) },
      }),
    )
  return (
    <FormDialog
      title={texts.createTitle}
      action={texts.create}
      submit={create}
      refresh={[['email-accounts']]}
      onClose={onClose}
    >
      <TextInput name="id" label={texts.id} required />
      <AccountFields />
    </FormDialog>
  )
}

/** The fields of an account that can be changed; read them with {@link readAccountFields}. */
export function AccountFields({
  account,
}: {
  readonly account?: AdministrationSchemas['schemas']['EmailAccount']
}) {
  return (
    <>
      <TextInput
        name="name"
        label={texts.name}
        defaultValue={account?.name}
        required={account !== undefined}
      />
      <TextInput
        name="region"
        label={texts.region}
        defaultValue={account?.region}
        required={account !== undefined}
      />
      <NativeSelect
        name="status"
        label={texts.status}
        defaultValue={account?.status ?? 'ACTIVE'}
        data={statuses.map((value) => ({ value, label: texts.statuses[value] }))}
      />
    </>
  )
}

/** What a form with {@link AccountFields} says. */
export function readAccountFields(form: FormData) {
  const status = statuses.find((one) => one === fieldText(form, 'status')) ?? 'ACTIVE'
  return { ...filledMember(form, 'name'), ...filledMember(form, 'region'), status }
}
