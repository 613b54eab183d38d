import { Button } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { State } from '../../components/state.tsx'
import { useSession } from '../../use-session.ts'
import { AuthenticatorDialog } from './authenticator-app.tsx'
import { CodeField } from './code-field.tsx'
import { Passkeys } from './passkeys.tsx'
import { texts as all } from './texts.ts'

const texts = all.factors

/** What an operator shows besides his password. */
export function Factors({ operator }: { readonly operator: AdministrationSchemas['schemas']['Operator'] }) {
  const [asked, setAsked] = useState<'set-up' | 'remove'>()
  const hasApp = operator.secondFactor === 'totp'
  const close = () => setAsked(undefined)
  return (
    <>
      <h2 className="section-title">{texts.title}</h2>
      {operator.secondFactor === null && operator.hasPassword && <p className="quiet">{texts.none}</p>}
      <div className="cards">
        <section className="card">
          <h3>{texts.app}</h3>
          <p>
            <State state={hasApp ? 'good' : 'idle'}>{hasApp ? texts.appOn : texts.appOff}</State>
          </p>
          <Button
            variant="default"
            aria-haspopup="dialog"
            onClick={() => setAsked(hasApp ? 'remove' : 'set-up')}
          >
            {hasApp ? texts.remove : texts.begin}
          </Button>
        </section>
        {operator.identity === null && <Passkeys username={operator.username} />}
      </div>
      {asked === 'set-up' && <AuthenticatorDialog onClose={close} />}
      {asked === 'remove' && <RemoveAuthenticator onClose={close} />}
    </>
  )
}

function RemoveAuthenticator({ onClose }: { readonly onClose: () => void }) {
  const { administration, username } = useSession()
  const path = { operator: username }
  const remove = (form: FormData) =>
    answer(
      administration.POST('/operators/{operator}/totp-remove', {
        params: { path },
        body: { code: fieldText(form, 'code') },
      }),
    )
  return (
    <FormDialog
      title={texts.removeTitle}
      action={texts.remove}
      submit={remove}
      refresh={[['operators', username]]}
      onClose={onClose}
    >
      <CodeField />
    </FormDialog>
  )
}
