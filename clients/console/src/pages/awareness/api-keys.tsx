import { Button, Group } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { Listing } from '../../components/listing.tsx'
import { Managed } from '../../components/managed.tsx'
import { Remove } from '../../components/remove.tsx'
import { pageQuery } from '../../read-all.ts'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { ChangeKey, CreateKey, RotateKey } from './api-key-dialogs.tsx'
import { texts as all } from './texts.ts'

const texts = all.access

/** A key as the server lists it, without the key itself. */
export type AwarenessKey = AdministrationSchemas['schemas']['AwarenessAPIKey']

/** The API keys of the awareness service. */
export function AwarenessKeys() {
  const session = useSession()
  const [asked, setAsked] = useState<{ readonly for: 'create' | 'change' | 'rotate'; key?: AwarenessKey }>()
  const isAllowed = mayChange(session, 'awareness')
  const actions = (key: AwarenessKey) =>
    isAllowed ? (
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-haspopup="dialog"
          onClick={() => setAsked({ for: 'rotate', key })}
          aria-label={`${texts.rotate}: ${key.name}`}
        >
          {texts.rotate}
        </Button>
        {key.managedBy === null ? (
          <>
            <Button
              variant="default"
              size="xs"
              aria-haspopup="dialog"
              onClick={() => setAsked({ for: 'change', key })}
              aria-label={`${texts.change}: ${key.name}`}
            >
              {texts.change}
            </Button>
            <Remove
              item={new AdministeredItem(session, 'awareness', 'api-keys', key.id)}
              action={texts.remove}
              title={`${texts.removeKey} ${key.name}`}
              refresh={[['awareness-keys']]}
            />
          </>
        ) : (
          <Managed by={key.managedBy} />
        )}
      </Group>
    ) : (
      <Managed by={key.managedBy} />
    )
  const close = () => setAsked(undefined)
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.keys}</h2>
        {isAllowed && (
          <Button
            variant="default"
            mt="lg"
            aria-haspopup="dialog"
            onClick={() => setAsked({ for: 'create' })}
          >
            {texts.createKey}
          </Button>
        )}
      </div>
      <Listing
        title={texts.keys}
        name={['awareness-keys']}
        read={(after) =>
          answer(session.administration.GET('/awareness/api-keys', { params: { query: pageQuery(after) } }))
        }
        idOf={({ id }) => id}
        columns={[
          [texts.name, ({ name }) => name],
          [texts.user, ({ username }) => username ?? texts.everyUser],
          [texts.addresses, ({ allowedAddresses }) => allowedAddresses.join(', ') || texts.everywhere],
          [texts.actions, actions],
        ]}
      />
      {asked?.for === 'create' && <CreateKey onClose={close} />}
      {asked?.for === 'change' && asked.key && <ChangeKey apiKey={asked.key} onClose={close} />}
      {asked?.for === 'rotate' && asked.key && <RotateKey apiKey={asked.key} onClose={close} />}
    </>
  )
}
