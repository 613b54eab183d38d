import { NativeSelect, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { ChannelFields, readChange, readSettings } from './channel-fields.tsx'
import type { Channel } from './channels.tsx'
import { texts as all } from './texts.ts'

const texts = all.channels
const kinds = ['webhook', 'email', 'syslog'] as const

/** Adds a channel. */
export function CreateChannel({ onClose }: { readonly onClose: () => void }) {
  const { administration } = useSession()
  const [kind, setKind] = useState<Channel['kind']>('webhook')
  const create = (form: FormData) =>
    answer(
      administration.POST('/channels', {
        body: { name: fieldText(form, 'name'), ...readSettings(kind, form) },
      }),
    )
  return (
    <FormDialog
      title={texts.createTitle}
      action={texts.create}
      submit={create}
      refresh={[['channels']]}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.name} description={texts.nameHelp} required />
      <NativeSelect
        label={texts.kind}
        value={kind}
        onChange={({ currentTarget }) =>
          setKind(kinds.find((one) => one === currentTarget.value) ?? 'webhook')
        }
        data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
      />
      <ChannelFields key={kind} kind={kind} />
    </FormDialog>
  )
}

/** Changes where a channel leads to. */
export function ChangeChannel({
  channel,
  onClose,
}: {
  readonly channel: Channel
  readonly onClose: () => void
}) {
  const session = useSession()
  const { name, kind } = channel
  const item = new AdministeredItem<Channel>(session, 'channels', name)
  const change = async (form: FormData) => {
    const { tag } = await item.read()
    return item.change(readChange(kind, form), tag)
  }
  return (
    <FormDialog
      title={`${texts.changeTitle} ${name}`}
      action={shared.save}
      submit={change}
      refresh={[['channels']]}
      onClose={onClose}
    >
      <ChannelFields kind={kind} channel={channel} />
    </FormDialog>
  )
}
