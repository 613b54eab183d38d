import { Group, Loader, NativeSelect } from '@mantine/core'
import { shellWord } from '@palisade/sdk'
import '@mantine/core/styles/Combobox.css'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import './firewall.css'
import { HealthStatus } from './health-status.tsx'
import { LatestRefusals } from './latest-refusals.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { isRange, ranges } from './ranges.ts'
import { type FirewallService, useHealth, useServices } from './reads.ts'
import { RuleSetTrial } from './rule-set-trial.tsx'
import { ModeBadge } from './services.tsx'
import { texts as all } from './texts.ts'
import { TrafficCharts } from './traffic-charts.tsx'

const texts = all.service
const route = getRouteApi('/shell/firewall/services/$service')

/** A service: how it and its servers fare, what it does with attacks, and its traffic over time. */
export function ServicePage() {
  const { service: name } = route.useParams()
  const { range = '1h' } = route.useSearch()
  const navigate = useNavigate()
  const isAllowed = mayChange(useSession(), 'firewall')
  const services = useServices()
  if (services.isError) return <Failure error={services.error} tryAgain={() => void services.refetch()} />
  if (!services.data) return <Loader aria-label={shared.loading} />
  const service = services.data.find((one) => one.name === name)
  if (service === undefined) return <Failure error={new Error(texts.none(name))} />
  return (
    <>
      <Group justify="space-between" align="start">
        <h1 className="page-title">{name}</h1>
        <ModeSwitch service={name} isActive={service.mode === 'Active'} />
      </Group>
      <Facts service={service} />
      <Group mt="md">
        <Link to="/firewall/log" search={{ service: name }}>
          {texts.log}
        </Link>
        {isAllowed && (
          <Link to="/firewall/protect" search={{ service: name }}>
            {texts.guide}
          </Link>
        )}
        <Link to="/firewall/services/$service/settings" params={{ service: name }}>
          {texts.settings}
        </Link>
      </Group>
      <LatestRefusals service={service} />
      <NativeSelect
        label={texts.range}
        value={range}
        mt="md"
        className="range"
        data={Object.keys(ranges)
          .filter(isRange)
          .map((value) => ({ value, label: texts.ranges[value] }))}
        onChange={({ currentTarget: { value } }) => {
          if (isRange(value)) {
            void navigate({
              to: '/firewall/services/$service',
              params: { service: name },
              search: { range: value },
            })
          }
        }}
      />
      <TrafficCharts service={name} range={ranges[range]} />
      <SameCall
        palisade={`palisade firewall statistics --service ${shellWord(name)} --history requests,attacks --step-minutes ${ranges[range].stepMinutes} --steps ${ranges[range].steps}`}
        path={`/firewall/restapi/v3.2/stats/history?service=${encodeURIComponent(name)}&step-minutes=${ranges[range].stepMinutes}&steps=${ranges[range].steps}`}
      />
      <RuleSetTrial service={name} />
    </>
  )
}

function Facts({ service }: { readonly service: FirewallService }) {
  const health = useHealth().data?.[service.name]
  return (
    <dl className="facts">
      <dt>{texts.health}</dt>
      <dd>
        <HealthStatus health={health} /> {health?.reason}
      </dd>
      <dt>{texts.mode}</dt>
      <dd>
        <ModeBadge service={service} />
      </dd>
      <dt>{texts.policy}</dt>
      <dd>{service.policy}</dd>
      <dt>{texts.address}</dt>
      <dd>
        {service.type} {service.address}
      </dd>
      <dt>{texts.servers}</dt>
      <dd>
        {service.servers.length === 0 && all.services.noServer}
        {service.servers.map(({ name, address }) => (
          <div key={name}>
            {name} ({address}) <HealthStatus health={health?.servers[name]} /> {health?.servers[name]?.reason}
          </div>
        ))}
      </dd>
    </dl>
  )
}
