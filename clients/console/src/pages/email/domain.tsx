import { Button, Group, Loader } from '@mantine/core'
import { type AdministrationSchemas, NotFound, shellWord } from '@palisade/sdk'
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
import { readAll } from '../../read-all.ts'
import { mayChange } from '../../rights.ts'
import type { Session } from '../../session.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { DomainState } from './domain-state.tsx'
import { DomainFields, readDomainFields } from './domains.tsx'
import { MailStatistics } from './statistics.tsx'
import { texts as all } from './texts.ts'
import { Verification } from './verification.tsx'

const texts = all.domains
const route = getRouteApi('/shell/email/accounts/$account/$domain')

type Domain = AdministrationSchemas['schemas']['EmailDomain']

/** How DNS is doing is looked at again after this time. */
const refreshMs = 15_000

/** One domain: whether it is verified and what is lacking, and what became of its mail. */
export function EmailDomainPage() {
  const session = useSession()
  const { account, domain: name } = route.useParams()
  const read = useQuery({
    queryKey: ['email-accounts', account, 'domains', name],
    queryFn: () => readDomain(session, account, name),
    refetchInterval: refreshMs,
  })
  if (read.isError) return <Failure error={read.error} tryAgain={() => void read.refetch()} />
  if (!read.data) return <Loader aria-label={shared.loading} />
  const { value: domain } = read.data
  return (
    <>
      <Link to="/email/accounts/$account" params={{ account }}>
        {all.accounts.id} {account}
      </Link>
      <PageHead title={name}>
        {domain.managedBy === null && mayChange(session, 'email', account) && (
          <DomainActions account={account} {...read.data} />
        )}
      </PageHead>
      <p>
        <DomainState status={domain.status} />
      </p>
      <Managed by={domain.managedBy} />
      <Verification account={account} domain={domain} isAllowed={mayChange(session, 'email', account)} />
      <MailStatistics account={account} domain={name} />
      <SameCall
        palisade={`palisade email verification show ${shellWord(name)} --account ${shellWord(account)}`}
        path={`/email/beta/accounts/${encodeURIComponent(account)}/ess/domains/${encodeURIComponent(name)}/verification`}
      />
    </>
  )
}

interface ReadDomain {
  readonly value: Domain
  readonly tag: string
  readonly item: AdministeredItem<Domain>
}

/** A domain by its name, which stands in addresses since people know it. @throws NotFound */
async function readDomain(session: Session, account: string, name: string): Promise<ReadDomain> {
  const params = { path: { account } }
  const alike = await readAll((after) =>
    session.administration.GET('/email/accounts/{account}/domains', {
      params: { ...params, query: { name, ...(after ? { after } : {}) } },
    }),
  )
  const found = alike.find((domain) => domain.name === name)
  if (found === undefined) throw new NotFound(404, texts.notThere)
  const item = new AdministeredItem<Domain>(
    session,
    'email',
    'accounts',
    account,
    'domains',
    String(found.id),
  )
  return { ...(await item.read()), item }
}

function DomainActions({ account, value: domain, tag, item }: ReadDomain & { readonly account: string }) {
  const navigate = useNavigate()
  const [isChanging, setChanging] = useState(false)
  const refresh = [['email-accounts', account]]
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setChanging(true)}>
        {texts.change}
      </Button>
      <Remove
        item={item}
        action={texts.remove}
        title={`${texts.remove} ${domain.name}`}
        refresh={refresh}
        onDone={() => void navigate({ to: '/email/accounts/$account', params: { account } })}
      />
      {isChanging && (
        <FormDialog
          title={`${texts.changeTitle} ${domain.name}`}
          action={shared.save}
          submit={(form) => item.change(readDomainFields(form), tag)}
          refresh={refresh}
          onClose={() => setChanging(false)}
        >
          <DomainFields status={domain.status} type={domain.type} />
        </FormDialog>
      )}
    </Group>
  )
}
