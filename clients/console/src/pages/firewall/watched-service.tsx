import { Button, Checkbox, Group, Paper, Stack } from '@mantine/core'
import { shellWord } from '@palisade/sdk'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { useSession } from '../../use-session.ts'
import { AcceptExceptions, Accepted, Change } from './exceptions.tsx'
import { HealthStatus } from './health-status.tsx'
import { Learnt } from './learnt.tsx'
import { useModeChange } from './mode-switch.tsx'
import { ranges } from './ranges.ts'
import { type FirewallService, refreshMs, useHealth, useHistory } from './reads.ts'
import { groupsOf, type Proposal, type ProposalGroup, readProposals } from './refused-request.ts'
import { texts as all } from './texts.ts'

const texts = all.protect

/** A service that has the firewall before it: what that has seen, what it would refuse, and the button that has it refuse. */
export function WatchedService({ service }: { readonly service: FirewallService }) {
  const { firewall } = useSession()
  const { name } = service
  const proposals = useQuery({
    queryKey: ['firewall', 'proposals', name],
    queryFn: () => readProposals(firewall, name),
    refetchInterval: refreshMs,
  })
  const isActive = service.mode === 'Active'
  return (
    <>
      {isActive ? (
        <Paper withBorder p="md" mb="md" className="exception" data-state="accepted">
          <p>
            <strong>{texts.active}</strong>
          </p>
          <p>{texts.activeText(name)}</p>
        </Paper>
      ) : (
        <>
          <h2 className="section-title">{texts.watching}</h2>
          <p>{texts.watchingText(name)}</p>
        </>
      )}
      <Reached service={service} />
      <Seen service={name} />
      <Learnt service={name} />
      <h2 className="section-title">{isActive ? texts.refuses : texts.wouldRefuse}</h2>
      {proposals.isError && <Failure error={proposals.error} tryAgain={() => void proposals.refetch()} />}
      {proposals.data && <Review service={name} proposals={proposals.data} />}
      <Activate service={service} />
      <SameCall
        palisade={`palisade firewall exceptions list ${shellWord(name)}`}
        path={`/firewall/restapi/v3.2/services/${encodeURIComponent(name)}/rule-exception-proposals`}
      />
    </>
  )
}

/** Whether clients reach the application through the firewall, and where they would. */
function Reached({ service: { name, address, type, mode } }: { readonly service: FirewallService }) {
  const health = useHealth().data?.[name]
  if (health === undefined) return null
  const servers = Object.values(health.servers)
  const isReached = [health, ...servers].every(({ status, reason }) => status === 'Up' && reason === '')
  const isLookedAt = servers.some(({ status }) => status === 'Unknown')
  const url = addressOf(type, address)
  return (
    <Paper withBorder p="md" role="status">
      {isReached ? (
        <>
          <p>
            <HealthStatus health={health} /> <strong>{texts.answers}</strong>
          </p>
          <p>{texts.next}</p>
          <p>{texts.tryIt[mode === 'Active' ? 'Active' : 'Passive']}</p>
          <ul>
            {[url, `${url}?id=1' or '1'='1`].map((one) => (
              <li key={one}>
                <a className="link" href={one} target="_blank" rel="noreferrer">
                  {one}
                </a>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            <HealthStatus health={isLookedAt ? undefined : health} />{' '}
            {isLookedAt ? texts.looking : texts.notYet}
          </p>
          <ul>
            {[health, ...servers]
              .filter(({ status, reason }) => status !== 'Up' || reason !== '')
              .map(({ status, reason }) => (
                <li key={reason}>{reason || status}</li>
              ))}
          </ul>
        </>
      )}
    </Paper>
  )
}

/** Where a browser reaches a service: one of every address of the machine is at that of the console, too. */
function addressOf(type: string, address: string): string {
  const url = new URL(`${type === 'HTTPS' ? 'https' : 'http'}://${address}/`)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = location.hostname
  return url.href
}

/** The traffic of the last week in two numbers. */
function Seen({ service }: { readonly service: string }) {
  const week = useHistory('requests,attacks', ranges['7d'], service)
  if (!week.data) return null
  const total = (counter: string) =>
    (week.data?.of(service, counter) ?? []).reduce((sum, value) => sum + value, 0).toLocaleString('en')
  return (
    <>
      <h2 className="section-title">{texts.seen}</h2>
      <dl className="numbers">
        <div>
          <dt>{texts.seenRequests}</dt>
          <dd>{total('requests')}</dd>
        </div>
        <div>
          <dt>{texts.seenFindings}</dt>
          <dd>{total('attacks')}</dd>
        </div>
      </dl>
      <Link to="/firewall/log" search={{ service }}>
        {texts.toLog}
      </Link>
    </>
  )
}

/** The exceptions from which somebody chooses, and those that are there. */
function Review({
  service,
  proposals,
}: {
  readonly service: string
  readonly proposals: readonly Proposal[]
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const open = proposals.filter(({ accepted }) => accepted !== 'Yes')
  const accepted = proposals.filter((proposal) => proposal.accepted === 'Yes')
  const needed = open.filter(({ id }) => chosen.has(id))
  const choose = (group: ProposalGroup, isChosen: boolean) => {
    const ids = group.map(({ id }) => id)
    const others = [...chosen].filter((id) => !ids.includes(id))
    setChosen(new Set([...others, ...(isChosen ? ids : [])]))
  }
  return (
    <Stack gap="sm">
      {open.length === 0 && <p>{texts.nothing}</p>}
      {open.length > 0 && <p>{texts.review}</p>}
      {groupsOf(open).map((group) => (
        <Change
          key={group[0].id}
          proposals={group}
          title={texts.kind(group[0].url, all.partOf(group[0].target), all.lookedLike(group[0].rule, ''))}
        >
          <Requests proposal={group[0]} />
          <Checkbox
            mt="xs"
            label={texts.harmless}
            aria-label={texts.harmlessOf(all.partOf(group[0].target), group[0].url)}
            checked={group.every(({ id }) => chosen.has(id))}
            onChange={(event) => choose(group, event.currentTarget.checked)}
          />
        </Change>
      ))}
      {needed.length > 0 && <AcceptExceptions service={service} proposals={needed} />}
      {accepted.map((proposal) => (
        <Accepted key={proposal.id} service={service} proposal={proposal} />
      ))}
    </Stack>
  )
}

function Requests({ proposal }: { readonly proposal: Proposal }) {
  return (
    <details>
      <summary>
        {texts.examples} ({proposal.requests})
      </summary>
      <ul>
        {proposal['seen-requests'].map((request) => (
          <li key={request.id}>
            <Link to="/firewall/requests/$request" params={{ request: request.id }}>
              <Time at={request.time} />
            </Link>{' '}
            {request['client-ip']}: {request.method} {request.url}. {request['attack-detail']}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Activate({ service: { name, mode } }: { readonly service: FirewallService }) {
  const navigate = useNavigate()
  const change = useModeChange(name, () => undefined)
  if (mode === 'Active') {
    return (
      <Group mt="md">
        <Button
          color="blue.8"
          onClick={() => void navigate({ to: '/firewall/services/$service', params: { service: name } })}
        >
          {texts.toService}
        </Button>
      </Group>
    )
  }
  return (
    <>
      <h2 className="section-title">{texts.ready}</h2>
      <p>{texts.readyText}</p>
      {change.isError && <Failure error={change.error} />}
      <Button mb="md" color="blue.8" loading={change.isPending} onClick={() => change.mutate('Active')}>
        {texts.activate}
      </Button>
    </>
  )
}
