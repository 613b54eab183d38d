import { Button } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { Managed } from '../../components/managed.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { CardActions } from './card-actions.tsx'
import { ChangeChannel, CreateChannel } from './channel-dialogs.tsx'
import { texts as all } from './texts.ts'

const texts = all.channels

/** A channel as the server lists it: with since when deliveries fail, if they do, and without secrets. */
export type Channel = AdministrationSchemas['schemas']['Channel']

/** Where word can be sent, and how that goes. */
export function Channels({ channels }: { readonly channels: readonly Channel[] }) {
  const session = useSession()
  const [isCreating, setCreating] = useState(false)
  const isAllowed = mayChange(session, 'notifications')
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.title}</h2>
        {isAllowed && (
          <Button mt="lg" aria-haspopup="dialog" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )}
      </div>
      {channels.length === 0 ? (
        <p className="quiet">{texts.none}</p>
      ) : (
        <ul className="cards">
          {channels.map((channel) => (
            <ChannelCard key={channel.name} channel={channel} isAllowed={isAllowed} />
          ))}
        </ul>
      )}
      {isCreating && <CreateChannel onClose={() => setCreating(false)} />}
    </>
  )
}

function ChannelCard({ channel, isAllowed }: { readonly channel: Channel; readonly isAllowed: boolean }) {
  const session = useSession()
  const [isChanging, setChanging] = useState(false)
  const { name, kind, failingSince, failure, managedBy } = channel
  return (
    <li className="card">
      <h3>{name}</h3>
      <p>
        {texts.kinds[kind]}: {destinationOf(channel)}
      </p>
      <p>
        <State state={failingSince === null ? 'good' : 'critical'}>
          {failingSince === null ? texts.works : texts.failing} {failingSince && <Time at={failingSince} />}
        </State>
      </p>
      {failure !== null && <p>{failure}</p>}
      <Managed by={managedBy} />
      {isAllowed && (
        <CardActions
          title={name}
          managedBy={managedBy}
          sendTest={() =>
            answer(
              session.administration.POST('/channels/{channel}/test', {
                params: { path: { channel: name } },
              }),
            )
          }
          change={() => setChanging(true)}
          item={new AdministeredItem(session, 'channels', name)}
          texts={texts}
          refresh="channels"
        />
      )}
      {isChanging && <ChangeChannel channel={channel} onClose={() => setChanging(false)} />}
    </li>
  )
}

function destinationOf({ webhook, email, syslog }: Channel): string {
  if (webhook) return webhook.url
  if (email) return email.to.join(', ')
  return syslog ? `${syslog.host}:${syslog.port}` : ''
}
