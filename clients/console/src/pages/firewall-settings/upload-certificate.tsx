import { NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { FormDialog } from '../../components/form-dialog.tsx'
import { type Management, useManagement } from './management.ts'
import { texts as all } from './texts.ts'

const texts = all.certificates

/** Sends a certificate, and its key where services are to show it. */
export function UploadCertificate({ onClose }: { readonly onClose: () => void }) {
  const management = useManagement()
  const [type, setType] = useState('signed-certificate')
  return (
    <FormDialog
      title={texts.upload}
      action={texts.upload}
      submit={(form) => send(management, form)}
      refresh={[['firewall']]}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.name} required />
      <NativeSelect
        name="type"
        label={texts.type}
        value={type}
        data={texts.types.map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
      />
      <FileField name="certificate" label={texts.certificate} />
      {type === 'signed-certificate' && <FileField name="key" label={texts.key} />}
    </FormDialog>
  )
}

function FileField({ name, label }: { readonly name: string; readonly label: string }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="setting-label">
        {label}
      </label>
      <input id={id} name={name} type="file" accept=".pem,.crt,.cer,.key" required className="file" />
    </div>
  )
}

async function send(management: Management, form: FormData): Promise<void> {
  const textOf = async (name: string) => {
    const file = form.get(name)
    return file instanceof File ? file.text() : ''
  }
  const [name, type, certificate] = [form.get('name'), String(form.get('type')), await textOf('certificate')]
  const body =
    type === 'signed-certificate'
      ? { name, 'signed-certificate': certificate, 'certificate-key': await textOf('key') }
      : { name, certificate }
  await management.change('POST', `certificates/${type}`, body)
}
