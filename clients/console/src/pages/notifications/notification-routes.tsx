import { Button } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { Managed } from '../../components/managed.tsx'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { CardActions } from './card-actions.tsx'
import { RouteDialog } from './route-dialog.tsx'
import { texts as all } from './texts.ts'

const texts = all.routes

/** Which conditions go to which channels, and when. */
export type Route = AdministrationSchemas['schemas']['Route']

/** What is sent to which channel. @param channels the names of all */
export function Routes({
  routes,
  channels,
}: {
  readonly routes: readonly Route[]
  readonly channels: readonly string[]
}) {
  const [isCreating, setCreating] = useState(false)
  const isAllowed = mayChange(useSession(), 'notifications')
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.title}</h2>
        {isAllowed && (
          <Button
            mt="lg"
            disabled={channels.length === 0}
            aria-haspopup="dialog"
            onClick={() => setCreating(true)}
          >
            {texts.create}
          </Button>
        )}
      </div>
      <p className="quiet">{texts.lead}</p>
      {routes.length === 0 ? (
        <p>{channels.length === 0 ? texts.noChannel : texts.none}</p>
      ) : (
        <ul className="cards">
          {routes.map((route) => (
            <RouteCard key={route.id} route={route} channels={channels} isAllowed={isAllowed} />
          ))}
        </ul>
      )}
      {isCreating && <RouteDialog channels={channels} onClose={() => setCreating(false)} />}
    </>
  )
}

function RouteCard({
  route,
  channels,
  isAllowed,
}: {
  readonly route: Route
  readonly channels: readonly string[]
  readonly isAllowed: boolean
}) {
  const session = useSession()
  const [isChanging, setChanging] = useState(false)
  const { id, quietHours, groupSeconds, managedBy } = route
  const title = describeRoute(route)
  return (
    <li className="card">
      <h3>{title}</h3>
      <p className="quiet">
        {texts.gathered} {groupSeconds} {texts.seconds}
        {quietHours && `. ${texts.at} ${quietHours.from}–${quietHours.to} ${quietHours.timeZone}`}
      </p>
      <Managed by={managedBy} />
      {isAllowed && (
        <CardActions
          title={title}
          managedBy={managedBy}
          sendTest={() =>
            answer(session.administration.POST('/routes/{route}/test', { params: { path: { route: id } } }))
          }
          change={() => setChanging(true)}
          item={new AdministeredItem(session, 'routes', id)}
          texts={texts}
          refresh="routes"
        />
      )}
      {isChanging && <RouteDialog route={route} channels={channels} onClose={() => setChanging(false)} />}
    </li>
  )
}

/** What is sent, and to whom: `critical of backup to on-call`. */
function describeRoute({ channels, severities, services }: Route): string {
  const what = severities?.map((severity) => all.severities[severity]).join(', ') ?? texts.all
  const of = services === undefined ? '' : ` (${services.join(', ')})`
  return `${what}${of} ${texts.to} ${channels.join(', ')}`
}
