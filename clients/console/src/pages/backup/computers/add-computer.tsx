import { Button, TextInput } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FormDialog, fieldText } from '../../../components/form-dialog.tsx'
import { useSession } from '../../../use-session.ts'
import { texts as all } from '../texts.ts'
import { EnrolmentSteps } from './enrolment.tsx'

const texts = all.addComputer

type Added = AdministrationSchemas['schemas']['ComputerCreated']

/** Adds a computer, and shows the command that starts its agent. */
export function AddComputer({
  account,
  onClose,
}: {
  readonly account: string
  readonly onClose: () => void
}) {
  const { administration } = useSession()
  const [added, setAdded] = useState<Added>()
  if (added !== undefined) {
    const { id, name, enrolmentKey } = added
    return (
      <Dialog title={texts.start(name)} onClose={onClose}>
        <EnrolmentSteps account={account} computer={id} enrolmentKey={enrolmentKey} />
        <Button variant="default" mt="md" onClick={onClose}>
          {texts.close}
        </Button>
      </Dialog>
    )
  }
  const add = (form: FormData) => {
    const name = fieldText(form, 'name')
    const body = { name, id: fieldText(form, 'id') || name.replaceAll(/[\s/]+/g, '-') }
    return answer(
      administration.POST('/backup/accounts/{account}/computers', { params: { path: { account } }, body }),
    )
  }
  return (
    <FormDialog
      title={texts.title}
      action={texts.add}
      submit={add}
      refresh={[['backup', 'computers']]}
      onDone={setAdded}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.name} description={texts.nameHint} required autoFocus />
      <TextInput name="id" label={texts.id} description={texts.idHint} />
    </FormDialog>
  )
}
