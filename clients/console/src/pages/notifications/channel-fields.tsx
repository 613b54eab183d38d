import { NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/Combobox.css'
import type { AdministrationSchemas } from '@palisade/sdk'
import { fieldText, fieldTexts } from '../../components/form-dialog.tsx'
import type { Channel } from './channels.tsx'
import { texts } from './texts.ts'

type Settings = Pick<AdministrationSchemas['schemas']['ChannelCreation'], 'webhook' | 'email' | 'syslog'>

/** The fields of one kind of channel. @param channel the one that is changed; undefined for a new one */
export function ChannelFields({
  kind,
  channel,
}: {
  readonly kind: Channel['kind']
  readonly channel?: Channel
}) {
  if (kind === 'webhook') return <WebhookFields channel={channel} />
  if (kind === 'email') return <EmailFields channel={channel} />
  return (
    <>
      <TextInput name="host" label={texts.syslog.host} defaultValue={channel?.syslog?.host} required />
      <PortField label={texts.syslog.port} value={channel?.syslog?.port ?? 6514} />
    </>
  )
}

function WebhookFields({ channel }: { readonly channel: Channel | undefined }) {
  return (
    <>
      <TextInput
        name="url"
        type="url"
        label={texts.webhook.url}
        placeholder="https://"
        defaultValue={channel?.webhook?.url}
        required
      />
      <PasswordInput
        name="secret"
        label={texts.webhook.secret}
        description={channel ? texts.keepSecret : texts.webhook.secretHelp}
        autoComplete="off"
        required={channel === undefined}
      />
    </>
  )
}

function EmailFields({ channel }: { readonly channel: Channel | undefined }) {
  const { email } = channel ?? {}
  return (
    <>
      <TextInput name="host" label={texts.email.host} defaultValue={email?.host} required />
      <PortField label={texts.email.port} value={email?.port ?? 587} />
      <NativeSelect
        name="tls"
        label={texts.email.tls}
        defaultValue={email?.tls ?? 'starttls'}
        data={(['starttls', 'implicit', 'none'] as const).map((value) => ({
          value,
          label: texts.email.tlsWays[value],
        }))}
      />
      <TextInput name="from" type="email" label={texts.email.from} defaultValue={email?.from} required />
      <TextInput
        name="to"
        label={texts.email.to}
        description={texts.email.toHelp}
        defaultValue={email?.to.join(', ')}
        required
      />
      <TextInput
        name="username"
        label={texts.email.username}
        defaultValue={email?.username}
        autoComplete="off"
      />
      <PasswordInput
        name="password"
        label={texts.email.password}
        description={channel && texts.keepSecret}
        autoComplete="off"
      />
    </>
  )
}

function PortField({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <NumberInput name="port" label={label} defaultValue={value} min={1} max={65535} hideControls required />
  )
}

/** What a form with {@link ChannelFields} says of a new channel. */
export function readSettings(kind: Channel['kind'], form: FormData): Settings {
  const text = (name: string) => fieldText(form, name)
  const given = (name: string) => (text(name) === '' ? {} : { [name]: text(name) })
  const place = { host: text('host'), port: Number(text('port')) }
  if (kind === 'syslog') return { syslog: place }
  if (kind === 'webhook') return { webhook: { url: text('url'), secret: text('secret') } }
  const tls = text('tls')
  return {
    email: {
      ...place,
      tls: tls === 'implicit' || tls === 'none' ? tls : 'starttls',
      from: text('from'),
      to: fieldTexts(form, 'to'),
      ...given('username'),
      ...given('password'),
    },
  }
}

/** What the form says of a channel that is there: secrets that were left empty stay, unless there is no username any more. */
export function readChange(
  kind: Channel['kind'],
  form: FormData,
): AdministrationSchemas['schemas']['ChannelChange'] {
  const { webhook, email, syslog } = readSettings(kind, form)
  if (webhook) {
    const { url, secret } = webhook
    return { webhook: { url, ...(secret === '' ? {} : { secret }) } }
  }
  if (email) return { email: email.username ? email : { ...email, username: null, password: null } }
  return { ...(syslog && { syslog }) }
}
