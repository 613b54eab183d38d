import { Button, Group } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { SameCall } from '../../components/command.tsx'
import { Listing } from '../../components/listing.tsx'
import { Managed } from '../../components/managed.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Remove } from '../../components/remove.tsx'
import { Time } from '../../components/time.tsx'
import { pageQuery } from '../../read-all.ts'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { ChangeClient, CreateClient, RotateSecret } from './api-client-dialogs.tsx'
import { texts as all } from './texts.ts'

const texts = all.clients

/** A client as the server lists it, without its secret. */
export type Client = AdministrationSchemas['schemas']['EmailAPIClient']

/** The programs that call the email service. */
export function EmailClientsPage() {
  const session = useSession()
  const [asked, setAsked] = useState<{
    readonly for: 'create' | 'change' | 'rotate'
    readonly client?: Client
  }>()
  const isAllowed = mayChange(session, 'email')
  const close = () => setAsked(undefined)
  const actions = (client: Client) =>
    isAllowed && client.managedBy === null ? (
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-haspopup="dialog"
          onClick={() => setAsked({ for: 'rotate', client })}
          aria-label={`${texts.rotate}: ${client.clientId}`}
        >
          {texts.rotate}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-haspopup="dialog"
          onClick={() => setAsked({ for: 'change', client })}
          aria-label={`${texts.change}: ${client.clientId}`}
        >
          {texts.change}
        </Button>
        <Remove
          item={new AdministeredItem(session, 'email', 'api-clients', client.clientId)}
          action={texts.remove}
          title={`${texts.removeTitle} ${client.clientId}`}
          refresh={[['email-clients']]}
        />
      </Group>
    ) : (
      <Managed by={client.managedBy} />
    )
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {isAllowed && (
          <Button aria-haspopup="dialog" onClick={() => setAsked({ for: 'create' })}>
            {texts.create}
          </Button>
        )}
      </PageHead>
      <Listing
        title={texts.title}
        name={['email-clients']}
        read={(after) =>
          answer(session.administration.GET('/email/api-clients', { params: { query: pageQuery(after) } }))
        }
        idOf={({ clientId }) => clientId}
        columns={[
          [texts.clientId, ({ clientId }) => clientId],
          [texts.accounts, ({ accounts }) => accounts.join(', ')],
          [texts.scopes, ({ scopes }) => scopes.map(scopeName).join(', ')],
          [
            texts.former,
            ({ formerSecretEndsAt }) => (formerSecretEndsAt === null ? '' : <Time at={formerSecretEndsAt} />),
          ],
          [texts.actions, actions],
        ]}
      />
      <SameCall palisade="palisade email api-clients list" path="/admin/v1/email/api-clients" />
      {asked?.for === 'create' && <CreateClient onClose={close} />}
      {asked?.for === 'change' && asked.client && <ChangeClient client={asked.client} onClose={close} />}
      {asked?.for === 'rotate' && asked.client && <RotateSecret client={asked.client} onClose={close} />}
    </>
  )
}

function scopeName(scope: string): string {
  return scope === 'ess:account:read' || scope === 'ess:account:write' ? texts.scopeNames[scope] : scope
}
