import { Alert, Button, Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Combobox.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { type Application, type Listener, protectApplication, type Tls } from './protect-application.ts'
import { texts as all } from './texts.ts'

const texts = all.protect
const ways = ['none', 'self-signed', 'acme', 'upload'] as const
type Way = (typeof ways)[number]

/** Asks where the application is, and puts the firewall in front of it. */
export function ProtectForm() {
  const { firewall } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [way, setWay] = useState<Way>('none')
  const [fault, setFault] = useState<string>()
  const protect = useMutation({
    mutationFn: (application: Application) => protectApplication(firewall, application),
    async onSuccess(service) {
      await queries.invalidateQueries({ queryKey: ['firewall'] })
      await navigate({ to: '/firewall/protect', search: { service } })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = readForm(new FormData(event.currentTarget), way)
    if (typeof read === 'string') {
      setFault(read)
      return
    }
    setFault(undefined)
    protect.mutate(read)
  }
  return (
    <form onSubmit={submit} className="narrow">
      <Stack>
        <p>{texts.intro}</p>
        <TextInput name="url" label={texts.url} description={texts.urlHint} required autoFocus />
        <TextInput name="domains" label={texts.domain} description={texts.domainHint} required />
        <NativeSelect
          label={texts.tls}
          value={way}
          data={ways.map((value) => ({ value, label: texts.ways[value] }))}
          onChange={({ currentTarget: { value } }) => setWay(ways.find((one) => one === value) ?? 'none')}
        />
        {way === 'upload' && (
          <>
            <Textarea name="certificate" label={texts.certificate} rows={4} required />
            <Textarea name="key" label={texts.key} rows={4} required autoComplete="off" />
          </>
        )}
        <TextInput
          name="listen"
          label={texts.listen}
          description={texts.listenHint}
          placeholder={way === 'none' ? '0.0.0.0:80' : '0.0.0.0:443'}
        />
        <Checkbox name="learns" label={texts.learn} defaultChecked />
        {fault && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        {protect.isError && <Failure error={protect.error} title={shared.refused} />}
        <Button type="submit" color="blue.8" loading={protect.isPending}>
          {texts.begin}
        </Button>
      </Stack>
    </form>
  )
}

/** What the form says; a sentence when it says something that cannot be. */
function readForm(form: FormData, way: Way): Application | string {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  // Most people leave out how an address begins.
  const address = text('url').includes('://') ? text('url') : `http://${text('url')}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '') {
    return texts.badUrl
  }
  const [domain, ...others] = text('domains')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '')
  if (domain === undefined) return texts.badDomain
  const listener = listenerIn(text('listen'))
  if (listener === 'wrong') return texts.badListen
  const tls: Tls = way === 'upload' ? { way, certificate: text('certificate'), key: text('key') } : { way }
  return { url, domains: [domain, ...others], listener, tls, learns: form.has('learns') }
}

function listenerIn(text: string): Listener | undefined | 'wrong' {
  if (text === '') return undefined
  const [, v6, v4, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text) ?? []
  const ip = v6 ?? v4
  return ip !== undefined && Number(port) >= 1 && Number(port) <= 65_535
    ? { ip, port: Number(port) }
    : 'wrong'
}
