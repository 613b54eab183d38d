import { NumberInput, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { Choices } from '../../components/choices.tsx'
import { FormDialog, fieldText, fieldTexts } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import type { Client } from './api-clients.tsx'
import { texts as all } from './texts.ts'

const texts = all.clients
const refresh = [['email-clients']]
const scopes = ['ess:account:read', 'ess:account:write'] as const

/** Adds a client, and shows its secret once. */
export function CreateClient({ onClose }: { readonly onClose: () => void }) {
  const { administration } = useSession()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <SecretDialog title={texts.secret} secret={secret} onClose={onClose} />
  const create = (form: FormData) =>
    answer(
      administration.POST('/email/api-clients', {
        body: { clientId: fieldText(form, 'clientId'), ...readClient(form) },
      }),
    )
  return (
    <FormDialog
      title={texts.createTitle}
      action={texts.create}
      submit={create}
      refresh={refresh}
      onDone={({ clientSecret }) => setSecret(clientSecret)}
      onClose={onClose}
    >
      <TextInput name="clientId" label={texts.clientId} required autoComplete="off" />
      <ClientFields />
    </FormDialog>
  )
}

/** Changes what a client may. */
export function ChangeClient({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const session = useSession()
  const item = new AdministeredItem<Client>(session, 'email', 'api-clients', client.clientId)
  const save = async (form: FormData) => item.change(readClient(form), (await item.read()).tag)
  return (
    <FormDialog
      title={`${texts.changeTitle} ${client.clientId}`}
      action={shared.save}
      submit={save}
      refresh={refresh}
      onClose={onClose}
    >
      <ClientFields client={client} />
    </FormDialog>
  )
}

/** Makes another secret, and shows it once; the former one goes on for a while. */
export function RotateSecret({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const { administration } = useSession()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <SecretDialog title={texts.secret} secret={secret} onClose={onClose} />
  const rotate = (form: FormData) =>
    answer(
      administration.POST('/email/api-clients/{client}/secret', {
        params: { path: { client: client.clientId } },
        body: { overlapHours: Number(fieldText(form, 'overlapHours')) },
      }),
    )
  return (
    <FormDialog
      title={`${texts.rotateTitle} ${client.clientId}`}
      action={texts.rotate}
      submit={rotate}
      refresh={refresh}
      onDone={({ clientSecret }) => setSecret(clientSecret)}
      onClose={onClose}
    >
      <NumberInput
        name="overlapHours"
        label={texts.overlap}
        description={texts.overlapHelp}
        defaultValue={24}
        min={0}
        hideControls
        required
      />
    </FormDialog>
  )
}

function ClientFields({ client }: { readonly client?: Client }) {
  return (
    <>
      <TextInput
        name="accounts"
        label={texts.accounts}
        description={texts.accountsHelp}
        defaultValue={client?.accounts.join(', ')}
      />
      <Choices
        legend={texts.scopes}
        name="scopes"
        options={scopes.map((scope) => [scope, texts.scopeNames[scope]] as const)}
        chosen={client?.scopes ?? ['ess:account:read']}
      />
    </>
  )
}

function readClient(form: FormData) {
  return {
    accounts: fieldTexts(form, 'accounts'),
    scopes: scopes.filter((scope) => form.getAll('scopes').includes(scope)),
  }
}
