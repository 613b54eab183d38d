import { TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { FormDialog, fieldText, fieldTexts } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import type { AwarenessKey } from './api-keys.tsx'
import { texts as all } from './texts.ts'

const texts = all.access
const refresh = [['awareness-keys']]

type Settings = Pick<AwarenessKey, 'name' | 'username' | 'allowedAddresses'>

/** Makes a key, and shows it once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  return (
    <NewKey title={texts.createKeyTitle} action={texts.createKey} settings={readSettings} onClose={onClose}>
      <KeyFields />
    </NewKey>
  )
}

/** Makes a key with the settings of another, which goes on until it is removed. */
export function RotateKey({
  apiKey,
  onClose,
}: {
  readonly apiKey: AwarenessKey
  readonly onClose: () => void
}) {
  const { username, allowedAddresses } = apiKey
  return (
    <NewKey
      title={`${texts.rotateTitle} ${apiKey.name}`}
      action={texts.rotated}
      settings={(form) => ({ name: fieldText(form, 'name'), username, allowedAddresses })}
      onClose={onClose}
    >
      <p>{texts.rotateHelp}</p>
      <TextInput name="name" label={texts.name} defaultValue={`${apiKey.name} (2)`} required />
    </NewKey>
  )
}

/** Changes for whom and from where a key is taken. */
export function ChangeKey({
  apiKey,
  onClose,
}: {
  readonly apiKey: AwarenessKey
  readonly onClose: () => void
}) {
  const session = useSession()
  const item = new AdministeredItem<AwarenessKey>(session, 'awareness', 'api-keys', apiKey.id)
  const save = async (form: FormData) => item.change(readSettings(form), (await item.read()).tag)
  return (
    <FormDialog
      title={`${texts.changeKey} ${apiKey.name}`}
      action={shared.save}
      submit={save}
      refresh={refresh}
      onClose={onClose}
    >
      <KeyFields settings={apiKey} />
    </FormDialog>
  )
}

function NewKey({
  title,
  action,
  settings,
  onClose,
  children,
}: Pick<Parameters<typeof FormDialog>[0], 'title' | 'action' | 'onClose' | 'children'> & {
  readonly settings: (form: FormData) => Settings
}) {
  const { administration } = useSession()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <SecretDialog title={texts.secret} secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={title}
      action={action}
      submit={(form) => answer(administration.POST('/awareness/api-keys', { body: settings(form) }))}
      refresh={refresh}
      onDone={({ key }) => setSecret(key)}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}

function KeyFields({ settings }: { readonly settings?: Settings }) {
  return (
    <>
      <TextInput
        name="name"
        label={texts.name}
        description={texts.nameHelp}
        defaultValue={settings?.name}
        required
      />
      <TextInput
        name="username"
        label={texts.user}
        placeholder={texts.everyUser}
        defaultValue={settings?.username ?? ''}
        autoComplete="off"
      />
      <TextInput
        name="allowedAddresses"
        label={texts.addresses}
        description={texts.addressesHelp}
        defaultValue={settings?.allowedAddresses.join(', ')}
      />
    </>
  )
}

function readSettings(form: FormData): Settings {
  const username = fieldText(form, 'username')
  return {
    name: fieldText(form, 'name'),
    username: username === '' ? null : username,
    allowedAddresses: fieldTexts(form, 'allowedAddresses'),
  }
}
