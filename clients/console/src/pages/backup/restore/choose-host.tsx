import { PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import { FormDialog, fieldText } from '../../../components/form-dialog.tsx'
import { texts as all } from '../texts.ts'
import type { HostWish } from './machine-form.tsx'

const texts = all.chooseHost

/** Names another hypervisor than that of the computer's own machine, and who logs on to it. */
export function ChooseHost({
  onChoose,
  onClose,
}: {
  readonly onChoose: (wish: HostWish) => void
  readonly onClose: () => void
}) {
  return (
    <FormDialog
      title={texts.title}
      action={texts.choose}
      submit={async (form) => wishOf(form)}
      refresh={[]}
      onDone={onChoose}
      onClose={onClose}
    >
      <TextInput name="host" label={texts.host} description={texts.hostHint} autoFocus />
      <TextInput name="username" label={texts.username} description={texts.usernameHint} autoComplete="off" />
      <PasswordInput name="password" label={texts.password} autoComplete="off" />
    </FormDialog>
  )
}

function wishOf(form: FormData): HostWish {
  const hostName = fieldText(form, 'host')
  const userName = fieldText(form, 'username')
  if (hostName === '') return { hostName: undefined }
  return {
    hostName,
    ...(userName === '' ? {} : { credentials: { userName, password: String(form.get('password')) } }),
  }
}
