import { Button, Group, Loader } from '@mantine/core'
import { type AdministrationSchemas, shellWord } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Managed } from '../../components/managed.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Remove } from '../../components/remove.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { AccountFields, AccountState, readAccountFields } from './accounts.tsx'
import { Domains } from './domains.tsx'
import { MailStatistics } from './statistics.tsx'
import { texts as all } from './texts.ts'

const texts = all.accounts
const route = getRouteApi('/shell/email/accounts/$account')

type Account = AdministrationSchemas['schemas']['EmailAccount']

/** One account: its domains, and what became of its mail. */
export function EmailAccountPage() {
  const session = useSession()
  const { account: id } = route.useParams()
  const item = new AdministeredItem<Account>(session, 'email', 'accounts', id)
  const read = useQuery({ queryKey: ['email-accounts', id], queryFn: () => item.read() })
  if (read.isError) return <Failure error={read.error} tryAgain={() => void read.refetch()} />
  if (!read.data) return <Loader aria-label={shared.loading} />
  const { value: account, tag } = read.data
  const isManaged = account.managedBy !== null
  return (
    <>
      <Link to="/email/accounts">{texts.back}</Link>
      <PageHead title={account.name || id}>
        <Group gap="xs">
          {!isManaged && mayChange(session, 'email', id) && (
            <ChangeAccount account={account} item={item} tag={tag} />
          )}
          {!isManaged && mayChange(session, 'email') && <RemoveAccount id={id} item={item} />}
        </Group>
      </PageHead>
      <Managed by={account.managedBy} />
      <section className="card">
        <dl className="facts">
          <dt>{texts.id}</dt>
          <dd>{id}</dd>
          <dt>{texts.region}</dt>
          <dd>{account.region}</dd>
          <dt>{texts.status}</dt>
          <dd>
            <AccountState status={account.status} />
          </dd>
        </dl>
      </section>
      <Domains account={id} isManaged={isManaged} />
      <MailStatistics account={id} />
      <SameCall
        palisade={`palisade email accounts show ${shellWord(id)}`}
        path={`/admin/v1/email/accounts/${encodeURIComponent(id)}`}
      />
    </>
  )
}

function ChangeAccount({
  account,
  item,
  tag,
}: {
  readonly account: Account
  readonly item: AdministeredItem<Account>
  readonly tag: string
}) {
  const [isChanging, setChanging] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setChanging(true)}>
        {texts.change}
      </Button>
      {isChanging && (
        <FormDialog
          title={`${texts.changeTitle} ${account.id}`}
          action={shared.save}
          submit={(form) => item.change(readAccountFields(form), tag)}
          refresh={[['email-accounts']]}
          onClose={() => setChanging(false)}
        >
          <AccountFields account={account} />
        </FormDialog>
      )}
    </>
  )
}

function RemoveAccount({ id, item }: { readonly id: string; readonly item: AdministeredItem<Account> }) {
  const navigate = useNavigate()
  return (
    <Remove
      item={item}
      action={texts.remove}
      title={`${texts.remove} ${id}`}
      refresh={[['email-accounts']]}
      onDone={() => void navigate({ to: '/email/accounts' })}
    />
  )
}
