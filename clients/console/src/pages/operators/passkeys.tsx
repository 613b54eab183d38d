import { Button, Loader, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { Failure } from '../../components/failure.tsx'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { Remove } from '../../components/remove.tsx'
import { Time } from '../../components/time.tsx'
import { jsonOf, readLoginWays, type Session } from '../../session.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.factors

/** The passkeys of whoever looks; shown where the server can use some. */
export function Passkeys({ username }: { readonly username: string }) {
  const session = useSession()
  const [isRegistering, setRegistering] = useState(false)
  const ways = useQuery({ queryKey: ['login'], queryFn: readLoginWays })
  const path = { operator: username }
  const passkeys = useQuery({
    queryKey: ['operators', username, 'passkeys'],
    queryFn: () => answer(session.administration.GET('/operators/{operator}/passkeys', { params: { path } })),
  })
  if (ways.data?.hasPasskeys !== true) return null
  return (
    <section className="card">
      <h3>{texts.passkeys}</h3>
      <p className="quiet">{texts.passkeysLead}</p>
      {passkeys.error && <Failure error={passkeys.error} />}
      {passkeys.isPending && <Loader aria-label={shared.loading} />}
      {passkeys.data?.items.length === 0 && <p>{texts.noPasskeys}</p>}
      <ul>
        {passkeys.data?.items.map(({ id, name, usedAt }) => (
          <li key={id}>
            <strong>{name}</strong>, {texts.used} <Time at={usedAt} />{' '}
            <Remove
              item={new AdministeredItem(session, 'operators', username, 'passkeys', id)}
              action={texts.removePasskey}
              title={`${texts.removePasskeyTitle} ${name}`}
              refresh={[['operators', username]]}
            />
          </li>
        ))}
      </ul>
      {'PublicKeyCredential' in window ? (
        <Button variant="default" aria-haspopup="dialog" onClick={() => setRegistering(true)}>
          {texts.register}
        </Button>
      ) : (
        <p>{texts.unsupported}</p>
      )}
      {isRegistering && <RegisterPasskey onClose={() => setRegistering(false)} />}
    </section>
  )
}

function RegisterPasskey({ onClose }: { readonly onClose: () => void }) {
  const session = useSession()
  const register = async (form: FormData) =>
    registerPasskey(session, fieldText(form, 'name'), String(form.get('currentPassword')))
  return (
    <FormDialog
      title={texts.registerTitle}
      action={texts.register}
      submit={register}
      refresh={[['operators', session.username]]}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.name} description={texts.nameHelp} required />
      <PasswordInput
        name="currentPassword"
        label={all.account.currentPassword}
        autoComplete="current-password"
        required
      />
    </FormDialog>
  )
}

async function registerPasskey(
  { administration, username }: Session,
  name: string,
  currentPassword: string,
): Promise<void> {
  const params = { path: { operator: username } }
  const { options, ticket } = await answer(
    administration.POST('/operators/{operator}/passkey-options', { params, body: { currentPassword } }),
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const made = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    if (error instanceof DOMException) throw new Error(texts.cancelled)
    throw error
  })
  const credential = jsonOf<AdministrationSchemas['schemas']['NewCredential']>(made)
  const body = { name, ticket, credential }
  await answer(administration.POST('/operators/{operator}/passkey-register', { params, body }))
}
