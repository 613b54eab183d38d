import { Badge, Button, Group, Loader, Paper, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { FirstItems } from '../../components/first-items.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { hasWords } from '../../words.ts'
import './firewall.css'
import { HealthStatus } from './health-status.tsx'
import { ranges } from './ranges.ts'
import {
  type FirewallService,
  type History,
  type ServiceHealth,
  useHealth,
  useHistory,
  useServices,
} from './reads.ts'
import { texts as all } from './texts.ts'

const texts = all.services

/** From how many services on one is rather searched for than seen. */
const manyServices = 9
/** How many are drawn at first. */
const cardsAtOnce = 30

/** The services, those that are down first: how each fares, what it does with attacks, and its traffic of the last hour. */
export function ServicesPage() {
  const navigate = useNavigate()
  const isAllowed = mayChange(useSession(), 'firewall')
  const services = useServices()
  const health = useHealth()
  const history = useHistory('requests,attacks', ranges['1h'])
  const [wanted, setWanted] = useState('')
  if (services.isError) return <Failure error={services.error} tryAgain={() => void services.refetch()} />
  if (!services.data) return <Loader aria-label={shared.loading} />
  const found = services.data.filter((service) => hasWords(wordsOf(service), wanted.trim()))
  const isDown = ({ name }: FirewallService) => health.data?.[name]?.status === 'Down'
  const shown = [...found.filter(isDown), ...found.filter((service) => !isDown(service))]
  return (
    <>
      <Group justify="space-between" align="start">
        <h1 className="page-title">{texts.title}</h1>
        {isAllowed && (
          <Button color="blue.8" onClick={() => void navigate({ to: '/firewall/protect' })}>
            {texts.protect}
          </Button>
        )}
      </Group>
      {services.data.length === 0 && <p>{texts.nothingYet}</p>}
      {services.data.length >= manyServices && (
        <TextInput
          label={texts.filter}
          value={wanted}
          description={texts.filterBy}
          mb="md"
          className="narrow"
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      {wanted !== '' && <p role="status">{texts.found(found.length)}</p>}
      <FirstItems items={shown} step={cardsAtOnce}>
        {(first) => (
          <ul className="cards">
            {first.map((service) => (
              <ServiceCard
                key={service.name}
                service={service}
                health={health.data?.[service.name]}
                history={history.data}
              />
            ))}
          </ul>
        )}
      </FirstItems>
      <SameCall palisade={texts.same} path="/firewall/restapi/v3.2/services?category=operational" />
    </>
  )
}

/** What a service is searched by: its name, where clients reach it, and where its servers are. */
function wordsOf({ name, type, address, servers }: FirewallService): string {
  return [name, type, address, ...servers.map((server) => `${server.name} ${server.address}`)].join(' ')
}

function ServiceCard({
  service,
  health,
  history,
}: {
  readonly service: FirewallService
  readonly health: ServiceHealth | undefined
  readonly history: History | undefined
}) {
  const { name, type, address, servers } = service
  const requests = history?.of(name, 'requests') ?? []
  const attacks = history?.of(name, 'attacks') ?? []
  return (
    <Paper component="li" withBorder p="md" className="card">
      <Group justify="space-between" wrap="nowrap" align="start">
        <h2 className="card-title">
          <Link to="/firewall/services/$service" params={{ service: name }}>
            {name}
          </Link>
        </h2>
        <HealthStatus health={health} />
      </Group>
      {health?.reason && <p className="small">{health.reason}</p>}
      <p>
        {type} {address}
      </p>
      <p>
        <ModeBadge service={service} />
      </p>
      <p className="small">
        {servers.length === 0 && texts.noServer}
        {servers.map((server) => (
          <span key={server.name} className="server">
            {server.address} <HealthStatus health={health?.servers[server.name]} />{' '}
          </span>
        ))}
      </p>
      <Sparkline values={requests} color="var(--mantine-color-blue-6)" />
      <Sparkline values={attacks} color="var(--mantine-color-red-6)" />
      <p className="small">
        <strong>{sum(requests)}</strong> {texts.requests}, <strong>{sum(attacks)}</strong> {texts.attacks}
      </p>
    </Paper>
  )
}

/** What a service does with attacks. */
export function ModeBadge({ service: { isOn, mode } }: { readonly service: FirewallService }) {
  if (!isOn)
    return (
      <Badge variant="light" color="gray" tt="none" className="word">
        {texts.off}
      </Badge>
    )
  const blocks = mode === 'Active'
  return (
    <Badge variant="light" color={blocks ? 'green' : 'yellow'} tt="none" className="word">
      {blocks ? texts.blocks : texts.watches}
    </Badge>
  )
}

function sum(values: readonly number[]): string {
  return values.reduce((total, value) => total + value, 0).toLocaleString('en')
}
