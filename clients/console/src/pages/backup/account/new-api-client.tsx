import { Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Choices } from '../../../components/choices.tsx'
import { FormDialog, fieldText } from '../../../components/form-dialog.tsx'
import { useSession } from '../../../use-session.ts'
import { accountsQuery } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.apiClients

/** Adds a program that calls the backup API. */
export function NewApiClient({
  onAdded,
  onClose,
}: {
  /** Is given its secret, which the service shows this once. */
  readonly onAdded: (added: { readonly clientId: string; readonly clientSecret: string }) => void
  readonly onClose: () => void
}) {
  const session = useSession()
  const { data: accounts = [] } = useQuery(accountsQuery(session))
  const add = (form: FormData) =>
    answer(
      session.administration.POST('/backup/api-clients', {
        body: {
          clientId: fieldText(form, 'clientId'),
          accounts: form.getAll('account').map(String),
          scopes: form.has('change')
            ? ['accounts_read', 'computers_read', 'computers_write']
            : ['accounts_read', 'computers_read'],
        },
      }),
    )
  return (
    <FormDialog
      title={texts.add}
      action={texts.add}
      submit={add}
      refresh={[['backup', 'clients']]}
      onDone={onAdded}
      onClose={onClose}
    >
      <TextInput name="clientId" label={texts.clientId} autoComplete="off" required autoFocus />
      <Choices legend={texts.accounts} name="account" options={accounts.map((id) => [id, id] as const)} />
      <Checkbox name="change" label={texts.mayChange} />
    </FormDialog>
  )
}
