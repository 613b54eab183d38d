import { Loader } from '@mantine/core'
import { NotFound } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { Bars } from '../../components/bars.tsx'
import { Failure } from '../../components/failure.tsx'
import { State } from '../../components/state.tsx'
import { mayChange, mayRead, mayReadService } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { Dots } from './dots.tsx'
import {
  type Applications,
  type Computers,
  readApplications,
  readComputers,
  readDomains,
  readNewestCampaign,
  readRecentRequests,
  readRecentTasks,
  type Tally,
} from './read-services.ts'
import { texts } from './texts.ts'

/** Looked at again after this time, while the page is seen. */
const refreshMs = 30_000

type Name = keyof typeof texts.names

interface Condition {
  readonly service: string
  readonly condition: string
  readonly subject: string
}

const services = ['firewall', 'backup', 'email', 'awareness'] as const satisfies readonly Name[]

const homes = {
  firewall: '/firewall/services',
  backup: '/backup/computers',
  email: '/email/accounts',
  awareness: '/awareness/campaigns',
} as const satisfies Record<Name, string>

/** How the services that the operator may see are, in pictures. @param conditions undefined where he may not see them */
export function Services({ conditions }: { readonly conditions: readonly Condition[] | undefined }) {
  const session = useSession()
  const cards = {
    firewall: (
      <ServiceCard
        name="firewall"
        conditions={conditions}
        read={() => readApplications(session, conditions ?? [])}
        show={(tally: Applications) => (
          <>
            <Dots {...tally} words={texts.dots.firewall} />
            <Passive services={tally.passive} />
            {isEmpty(tally) ? (
              <Next to="/firewall/protect" text={texts.protect} isOffered={mayChange(session, 'firewall')} />
            ) : (
              <>
                <RecentTraffic />
                <Next to="/firewall/log" text={texts.whyRefused} isOffered />
              </>
            )}
          </>
        )}
      />
    ),
    backup: (
      <ServiceCard
        name="backup"
        conditions={conditions}
        read={() => readComputers(session)}
        show={(tally: Computers) => (
          <>
            <Dots {...tally} words={texts.dots.backup} />
            <WithoutSet computers={tally.withoutSet} />
            {isEmpty(tally) ? (
              <Next to={homes.backup} text={texts.backUp} isOffered={mayChange(session, 'backup')} />
            ) : (
              <>
                <LastNight />
                <GetBack computers={tally.offline} />
              </>
            )}
          </>
        )}
      />
    ),
    email: (
      <ServiceCard
        name="email"
        conditions={conditions}
        read={() => readDomains(session)}
        show={(tally: Tally) => <Dots {...tally} words={texts.dots.email} />}
      />
    ),
    awareness: (
      <ServiceCard
        name="awareness"
        conditions={conditions}
        read={() => readNewestCampaign(session)}
        show={(campaign) => <Campaign campaign={campaign} />}
      />
    ),
  } satisfies Record<Name, ReactNode>
  return (
    <ul className="cards">
      {services.map((name) => mayRead(session, name) && <Fragment key={name}>{cards[name]}</Fragment>)}
    </ul>
  )
}

function isEmpty({ good, bad }: Tally): boolean {
  return good + bad === 0
}

/** What somebody who is here for the first time, or because of something, does next. */
function Next({
  to,
  text,
  isOffered,
}: {
  readonly to: string
  readonly text: string
  readonly isOffered: boolean
}) {
  if (!isOffered) return null
  return (
    <p>
      <Link className="link" to={to}>
        {text}
      </Link>
    </p>
  )
}

/** How many applications are watched only, with the way to have attacks on them blocked. */
function Passive({ services }: { readonly services: Applications['passive'] }) {
  const [only] = services
  if (only === undefined) return null
  return (
    <p>
      <State state="warning">{texts.passive(services.length)}</State>{' '}
      {services.length === 1 ? (
        <Link className="link" to="/firewall/services/$service" params={{ service: only }}>
          {only}
        </Link>
      ) : (
        <Link className="link" to="/firewall/services">
          {texts.which}
        </Link>
      )}
    </p>
  )
}

/** The way to the restore of a computer whose agent is away, or to the computers among which it is. */
function GetBack({ computers }: { readonly computers: Computers['offline'] }) {
  const session = useSession()
  const [only] = computers
  if (only === undefined) return null
  if (computers.length > 1) {
    return <Next to={homes.backup} text={texts.getBack} isOffered={mayChange(session, 'backup')} />
  }
  const { account, computer, name } = only
  if (!mayChange(session, 'backup', account)) return null
  return (
    <p>
      <Link className="link" to="/backup/computers/$account/$computer/restore" params={{ account, computer }}>
        {texts.getThisBack(name)}
      </Link>
    </p>
  )
}

/** How many computers have an agent and nothing that backs them up, with the way to a backup set. */
function WithoutSet({ computers }: { readonly computers: Computers['withoutSet'] }) {
  const session = useSession()
  const [only] = computers
  if (only === undefined) return null
  return (
    <p>
      <State state="warning">{texts.withoutSet(computers.length)}</State>{' '}
      {computers.length === 1 && mayChange(session, 'backup', only.account) ? (
        <Link
          className="link"
          to="/backup/computers/$account/$computer/sets/$set"
          params={{ ...only, set: 'new' }}
        >
          {texts.chooseBackedUp}
        </Link>
      ) : (
        <Link className="link" to="/backup/computers">
          {texts.which}
        </Link>
      )}
    </p>
  )
}

function ServiceCard<Data>({
  name,
  conditions,
  read,
  show,
}: {
  readonly name: Name
  readonly conditions: readonly Condition[] | undefined
  readonly read: () => Promise<Data>
  readonly show: (data: Data) => ReactNode
}) {
  const router = useRouter()
  const isWhole = mayReadService(useSession(), name)
  const data = useQuery({ queryKey: ['overview', name], queryFn: read, refetchInterval: refreshMs })
  if (data.error instanceof NotFound) return null
  const open = isWhole ? conditions?.filter(({ service }) => service === name).length : undefined
  const home: string = homes[name]
  return (
    <li className="card service-card">
      <h3>
        {home in router.routesByPath ? <Link to={home}>{texts.names[name]}</Link> : texts.names[name]}
        {open !== undefined && (
          <State state={open === 0 ? 'good' : 'warning'}>
            {open === 0 ? texts.fine : `${texts.attentionOf}: ${open}`}
          </State>
        )}
      </h3>
      {data.isPending && <Loader size="sm" aria-label={shared.loading} />}
      {data.error && <Failure error={data.error} />}
      {data.data !== undefined && show(data.data)}
    </li>
  )
}

/** What the firewall did in the last 24 hours, with the way to what it blocked. */
function RecentTraffic() {
  const session = useSession()
  const { data } = useQuery({
    queryKey: ['overview', 'recent requests'],
    queryFn: () => readRecentRequests(session),
    refetchInterval: refreshMs,
  })
  if (data === undefined) return null
  return (
    <p>
      {texts.lastDay}: <strong>{data.requests.toLocaleString('en')}</strong> {texts.requests},{' '}
      <Link className="link" to="/firewall/log" search={{ action: 'DENY', since: '24h' }}>
        <strong>{data.blocked.toLocaleString('en')}</strong> {texts.blocked}
      </Link>
    </p>
  )
}

/** How the backups and restores of the last 24 hours ended, with the way to those that failed. */
function LastNight() {
  const session = useSession()
  const { data } = useQuery({
    queryKey: ['overview', 'recent tasks'],
    queryFn: () => readRecentTasks(session),
    refetchInterval: refreshMs,
  })
  if (data === undefined) return null
  const { done, failed, isMore, failedIn } = data
  return (
    <p>
      {isMore ? texts.lastDayAtLeast : texts.lastDay}: <strong>{done}</strong> {texts.tasksDone(done)},{' '}
      {failedIn === undefined ? (
        texts.noneFailed
      ) : (
        <Link
          className="link"
          to="/backup/tasks"
          search={{ account: failedIn, status: 'ERROR', since: '24h' }}
        >
          <strong>{failed}</strong> {texts.failed}
        </Link>
      )}
    </p>
  )
}

function Campaign({ campaign }: { readonly campaign: Awaited<ReturnType<typeof readNewestCampaign>> }) {
  if (campaign === null) return <p className="quiet">{texts.noCampaign}</p>
  const { name, sent, opened, clicked, reported } = campaign
  return (
    <>
      <p>
        {texts.campaign}: <strong>{name}</strong>
      </p>
      <Bars
        of={sent}
        bars={[
          { label: texts.opened, value: opened, color: 'var(--mantine-color-blue-6)' },
          { label: texts.clicked, value: clicked, color: 'var(--mantine-color-red-6)' },
          { label: texts.reported, value: reported, color: 'var(--mantine-color-teal-6)' },
        ]}
      />
    </>
  )
}
