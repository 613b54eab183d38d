import { Button, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Combobox.css'
import { answer } from '@palisade/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { Listing } from '../../components/listing.tsx'
import { pageQuery } from '../../read-all.ts'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { DomainState } from './domain-state.tsx'
import { texts as all } from './texts.ts'

const texts = all.domains

/** The domains of an account. @param isManaged whether a file says which there are */
export function Domains({ account, isManaged }: { readonly account: string; readonly isManaged: boolean }) {
  const session = useSession()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.title}</h2>
        {!isManaged && mayChange(session, 'email', account) && (
          <Button mt="lg" aria-haspopup="dialog" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )}
      </div>
      <Listing
        title={texts.title}
        name={['email-accounts', account, 'domains']}
        read={(after) =>
          answer(
            session.administration.GET('/email/accounts/{account}/domains', {
              params: { path: { account }, query: pageQuery(after) },
            }),
          )
        }
        idOf={({ id }) => String(id)}
        columns={[
          [
            texts.name,
            ({ name }) => (
              <Link to="/email/accounts/$account/$domain" params={{ account, domain: name }}>
                {name}
              </Link>
            ),
          ],
          [texts.status, ({ status }) => <DomainState status={status} />],
          [texts.why, ({ verification }) => verification?.failure ?? ''],
          [texts.type, ({ type }) => type],
        ]}
      />
      {isCreating && <CreateDomain account={account} onClose={() => setCreating(false)} />}
    </>
  )
}

function CreateDomain({ account, onClose }: { readonly account: string; readonly onClose: () => void }) {
  const { administration } = useSession()
  const create = (form: FormData) =>
    answer(
      administration.POST('/email/accounts/{account}/domains', {
        params: { path: { account } },
        body: { name: fieldText(form, 'name'), ...readDomainFields(form) },
      }),
    )
  return (
    <FormDialog
      title={texts.createTitle}
      action={texts.create}
      submit={create}
      refresh={[['email-accounts', account]]}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.name} placeholder="example.org" required />
      <DomainFields status="UNVERIFIED" type="ESS" />
    </FormDialog>
  )
}

/** The fields of a domain that can be changed; read them with {@link readDomainFields}. */
export function DomainFields({ status, type }: { readonly status: string; readonly type: string }) {
  return (
    <>
      <NativeSelect
        name="status"
        label={texts.status}
        description={texts.verifiedHelp}
        defaultValue={status}
        data={statuses.map((value) => ({ value, label: texts.statuses[value] }))}
      />
      <NativeSelect name="type" label={texts.type} defaultValue={type} data={[...types]} />
    </>
  )
}

const statuses = ['UNVERIFIED', 'VERIFIED', 'DISABLED'] as const
const types = ['ESS', 'CPL'] as const

/** What a form with {@link DomainFields} says. */
export function readDomainFields(form: FormData) {
  return {
    status: statuses.find((one) => one === fieldText(form, 'status')) ?? 'UNVERIFIED',
    type: types.find((one) => one === fieldText(form, 'type')) ?? 'ESS',
  }
}
