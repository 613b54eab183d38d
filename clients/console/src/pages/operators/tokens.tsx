import { Button, NumberInput, TextInput } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { Listing } from '../../components/listing.tsx'
import { Remove } from '../../components/remove.tsx'
import { SecretDialog } from '../../components/secret.tsx'
import { Time } from '../../components/time.tsx'
import { useSession } from '../../use-session.ts'
import { describeGrants, GrantFields, readGrants } from './grants.tsx'
import { texts as all } from './texts.ts'

const texts = all.tokens

type Token = Pick<AdministrationSchemas['schemas']['OperatorToken'], 'id' | 'name'>

/** The API tokens of an operator. @param mayChange whether whoever looks can make and withdraw them */
export function Tokens({ operator, mayChange }: { readonly operator: string; readonly mayChange: boolean }) {
  const session = useSession()
  const [isCreating, setCreating] = useState(false)
  const name = ['operators', operator, 'tokens']
  const withdraw = ({ id, name: token }: Token) => (
    <Remove
      item={new AdministeredItem(session, 'operators', operator, 'tokens', id)}
      action={texts.withdraw}
      title={`${texts.withdrawTitle} ${token}`}
      refresh={[name]}
    />
  )
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.title}</h2>
        {mayChange && (
          <Button variant="default" mt="lg" aria-haspopup="dialog" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )}
      </div>
      <Listing
        title={texts.title}
        name={name}
        read={(after) =>
          answer(
            session.administration.GET('/operators/{operator}/tokens', {
              params: { path: { operator }, query: after ? { after } : {} },
            }),
          )
        }
        idOf={({ id }) => id}
        columns={[
          [texts.name, ({ name: token }) => token],
          [texts.grants, ({ grants }) => describeGrants(grants)],
          [texts.used, ({ usedAt }) => <Time at={usedAt} />],
          [texts.expires, ({ expiresAt }) => <Time at={expiresAt} />],
          ...(mayChange ? [[texts.actions, withdraw] as const] : []),
        ]}
      />
      {isCreating && <CreateToken operator={operator} onClose={() => setCreating(false)} />}
    </>
  )
}

/** Makes a token, and shows it once. */
function CreateToken({ operator, onClose }: { readonly operator: string; readonly onClose: () => void }) {
  const { administration, grants } = useSession()
  const [token, setToken] = useState<string>()
  const create = (form: FormData) => {
    const body = {
      name: fieldText(form, 'name'),
      grants: readGrants(form),
      lifetimeDays: Number(fieldText(form, 'lifetimeDays')),
    }
    return answer(
      administration.POST('/operators/{operator}/tokens', { params: { path: { operator } }, body }),
    )
  }
  if (token !== undefined) return <SecretDialog title={texts.secret} secret={token} onClose={onClose} />
  return (
    <FormDialog
      title={texts.createTitle}
      action={texts.create}
      submit={create}
      refresh={[['operators', operator, 'tokens']]}
      onDone={(made) => setToken(made.token)}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.name} description={texts.nameHelp} required autoComplete="off" />
      <NumberInput
        name="lifetimeDays"
        label={texts.lifetime}
        defaultValue={90}
        min={1}
        max={3650}
        hideControls
        required
      />
      <GrantFields grants={grants} />
      <p className="quiet">{texts.grantsHelp}</p>
    </FormDialog>
  )
}
