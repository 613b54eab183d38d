import { Button, Group } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../../administered-item.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { Listing } from '../../../components/listing.tsx'
import { Managed } from '../../../components/managed.tsx'
import { Remove } from '../../../components/remove.tsx'
import { SecretDialog } from '../../../components/secret.tsx'
import { Time } from '../../../components/time.tsx'
import { pageQuery } from '../../../read-all.ts'
import { mayChange } from '../../../rights.ts'
import { useChange } from '../../../use-change.ts'
import { useSession } from '../../../use-session.ts'
import { texts as all } from '../texts.ts'
import { NewApiClient } from './new-api-client.tsx'

const texts = all.apiClients
/** The former secret goes on for so long when a new one is made. */
const overlapHours = 24

type Client = AdministrationSchemas['schemas']['BackupAPIClientPage']['items'][number]

/** A secret of a client, which the server shows this once. */
interface Secret {
  readonly clientId: string
  readonly clientSecret: string
}

/** What is done with a client. */
type Asked =
  | { readonly what: 'add' }
  | { readonly what: 'renew'; readonly client: Client }
  | { readonly what: 'show'; readonly secret: Secret }

/** The programs that call the backup API. */
export function ApiClients() {
  const session = useSession()
  const [asked, setAsked] = useState<Asked>()
  const isAllowed = mayChange(session, 'backup')
  const list = (after: string | undefined) =>
    answer(session.administration.GET('/backup/api-clients', { params: { query: pageQuery(after) } }))
  const closed = () => setAsked(undefined)
  const show = (secret: Secret) => setAsked({ what: 'show', secret })
  const actions = (client: Client) =>
    isAllowed && client.managedBy === null ? (
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-label={texts.renewTitle(client.clientId)}
          aria-haspopup="dialog"
          onClick={() => setAsked({ what: 'renew', client })}
        >
          {texts.renew}
        </Button>
        <Remove
          item={new AdministeredItem(session, 'backup', 'api-clients', client.clientId)}
          action={all.deletion.action}
          title={texts.deleteTitle(client.clientId)}
          refresh={[['backup', 'clients']]}
        />
      </Group>
    ) : (
      <Managed by={client.managedBy} />
    )
  return (
    <div>
      <h2 className="section-title">{texts.title}</h2>
      {isAllowed && (
        <Button variant="default" mb="sm" aria-haspopup="dialog" onClick={() => setAsked({ what: 'add' })}>
          {texts.add}
        </Button>
      )}
      <Listing
        title={texts.title}
        name={['backup', 'clients']}
        read={list}
        idOf={({ clientId }) => clientId}
        columns={[
          [texts.clientId, ({ clientId }) => clientId],
          [texts.accounts, ({ accounts }) => accounts.join(', ')],
          [texts.scopes, ({ scopes }) => scopes.join(', ')],
          [
            texts.formerSecret,
            ({ formerSecretEndsAt }) => formerSecretEndsAt && <Time at={formerSecretEndsAt} />,
          ],
          [texts.actions, actions],
        ]}
      />
      {asked?.what === 'add' && <NewApiClient onClose={closed} onAdded={show} />}
      {asked?.what === 'show' && (
        <SecretDialog
          title={texts.secretOf(asked.secret.clientId)}
          secret={asked.secret.clientSecret}
          onClose={closed}
        />
      )}
      {asked?.what === 'renew' && <Renew client={asked.client} onRenewed={show} onClose={closed} />}
    </div>
  )
}

function Renew({
  client: { clientId },
  onRenewed,
  onClose,
}: {
  readonly client: Client
  readonly onRenewed: (secret: Secret) => void
  readonly onClose: () => void
}) {
  const { administration } = useSession()
  const renewal = useChange(
    () =>
      answer(
        administration.POST('/backup/api-clients/{client}/secret', {
          params: { path: { client: clientId } },
          body: { overlapHours },
        }),
      ),
    { refresh: [['backup', 'clients']], onDone: onRenewed },
  )
  return (
    <Confirm
      title={texts.renewTitle(clientId)}
      action={texts.renew}
      isPending={renewal.isPending}
      error={renewal.error}
      onConfirm={() => renewal.mutate()}
      onClose={onClose}
    >
      <p>{texts.renewLoss(overlapHours)}</p>
    </Confirm>
  )
}
