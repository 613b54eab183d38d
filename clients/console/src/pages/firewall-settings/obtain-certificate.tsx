import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useManagement } from './management.ts'
import { texts as all } from './texts.ts'
import { itemsOf } from './values.ts'

const texts = all.certificates

/** Asks the authority of the configuration for a certificate, and waits for it. */
export function ObtainCertificate({ onClose }: { readonly onClose: () => void }) {
  const management = useManagement()
  const services = useQuery({
    queryKey: ['firewall', 'services', 'names'],
    queryFn: async () => (await management.list('services', { groups: 'Service' })).map(([name]) => name),
  })
  return (
    <FormDialog
      title={texts.obtain}
      action={texts.obtain}
      submit={(form) => management.change('POST', 'certificates/letsencrypt', orderOf(form))}
      refresh={[['firewall']]}
      onClose={onClose}
    >
      <p>
        {texts.obtainWhy} {texts.wait}
      </p>
      <TextInput name="name" label={texts.name} required />
      <TextInput name="common-name" label={texts.commonName} description={texts.commonNameHelp} required />
      <Textarea name="san-cert" label={texts.further} description={all.field.perLine} rows={2} />
      <NativeSelect
        name="multi-cert-trusted-service"
        label={texts.service}
        data={[
          { value: '', label: texts.noService },
          ...(services.data ?? []).map((name) => ({ value: name, label: name })),
        ]}
      />
      <Checkbox name="auto-renew-cert" value="Yes" label={texts.renew} defaultChecked />
    </FormDialog>
  )
}

function orderOf(form: FormData): object {
  const service = String(form.get('multi-cert-trusted-service'))
  return {
    name: form.get('name'),
    'common-name': form.get('common-name'),
    'san-cert': itemsOf(String(form.get('san-cert'))),
    'auto-renew-cert': form.get('auto-renew-cert') === 'Yes' ? 'Yes' : 'No',
    ...(service === '' ? {} : { 'multi-cert-trusted-service': service }),
  }
}
