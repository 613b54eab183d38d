import { Alert, Loader, Paper } from '@mantine/core'
import { NotFound, shellWord } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import './firewall.css'
import { ExceptionsOfRequest } from './exceptions-of-request.tsx'
import { useServices } from './reads.ts'
import { type Finding, type RefusedRequest, readRefusedRequest, tellingFindings } from './refused-request.ts'
import { texts as all } from './texts.ts'

const texts = all.request
const route = getRouteApi('/shell/firewall/requests/$request')

/** Why a request was refused, in a sentence; then what it was, what was found, and what would let it pass. */
export function RequestPage() {
  const { firewall } = useSession()
  const { request: id } = route.useParams()
  const request = useQuery({
    queryKey: ['firewall', 'request', id],
    queryFn: async () => (await readRefusedRequest(firewall, id)) ?? null,
  })
  if (request.error instanceof NotFound) return <NotInLog id={id} />
  if (request.isError) return <Failure error={request.error} tryAgain={() => void request.refetch()} />
  if (!request.data) return <Loader aria-label={shared.loading} />
  const told = request.data
  return (
    <>
      <h1 className="page-title">{told.action === 'LOG' ? texts.titleLogged : texts.title}</h1>
      <Paper withBorder p="md" className="verdict" data-action={told.action}>
        <p className="verdict-sentence">{verdictOf(told)}</p>
        {wasTooMuch(told) && <p>{texts.score(told.score, told.threshold)}</p>}
      </Paper>
      <ExceptionsOfRequest request={told} />
      <h2 className="section-title">{texts.theRequest}</h2>
      <Facts request={told} />
      <h2 className="section-title">{texts.findings}</h2>
      <ul className="findings">
        {tellingFindings(told.findings, all.isSum).map((finding) => (
          <FindingItem key={finding['log-entry']} finding={finding} />
        ))}
      </ul>
      <SameCall
        palisade={`palisade firewall exceptions explain ${shellWord(id)}`}
        path={`/firewall/restapi/v3.2/refused-requests/${encodeURIComponent(id)}`}
      />
    </>
  )
}

/** There is no such request, most often because somebody has misheard its number. */
function NotInLog({ id }: { readonly id: string }) {
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <Alert color="red" title={texts.notInLog(id)} role="alert">
        <p>{texts.notInLogHelp}</p>
        <Link className="link" to="/firewall/log" search={{}}>
          {texts.toLog}
        </Link>
      </Alert>
    </>
  )
}

/** The answer to the question of the page, as a sentence. */
function verdictOf(request: RefusedRequest): string {
  const [first, ...others] = tellingFindings(request.findings, all.isSum)
  if (first === undefined) return texts.noted(texts.setting(''))
  const reason = `${reasonOf(first)}${texts.andOthers(others.length)}`
  if (request.action !== 'LOG') return texts.refused(reason)
  return wasTooMuch(request) ? texts.wouldBe(reason) : texts.noted(reasonOf(first))
}

function reasonOf({ rule, attack, target, 'rule-type': type, 'attack-detail': detail }: Finding): string {
  if (type !== 'Core Rule Set') return texts.setting(detail === '' ? attack : `${attack}. ${detail}`)
  return texts.found(all.partOf(target), all.lookedLike(rule, attack), rule)
}

/** Whether rules gave it so many points that Active mode refuses it. */
function wasTooMuch({ score, threshold }: RefusedRequest): boolean {
  return score !== '' && Number(score) >= Number(threshold)
}

function Facts({ request }: { readonly request: RefusedRequest }) {
  const services = useServices()
  const service = services.data?.find(({ name }) => name === request.service)
  const query = request['query-string']
  return (
    <dl className="facts">
      <dt>{texts.line}</dt>
      <dd>
        <code>
          {request.method} {request.host}
          {request.url}
          {query === '' ? '' : `?${query}`}
        </code>
      </dd>
      <dt>{texts.time}</dt>
      <dd>
        <Time at={request.time} />
      </dd>
      <dt>{texts.client}</dt>
      <dd>
        {request['client-ip']} (
        <Link to="/firewall/log" search={{ client: request['client-ip'] }}>
          {texts.byClient}
        </Link>
        )
      </dd>
      <dt>{texts.service}</dt>
      <dd>
        {service ? (
          <Link to="/firewall/services/$service" params={{ service: service.name }}>
            {service.name}
          </Link>
        ) : (
          request.service
        )}
        {services.isSuccess && !service && ` (${texts.gone})`}
      </dd>
      {service && (
        <>
          <dt>{texts.policy}</dt>
          <dd>{service.policy}</dd>
          <dt>{texts.mode}</dt>
          <dd>{service.mode}</dd>
        </>
      )}
      <Optional name={texts.userAgent} value={request['user-agent']} />
      <Optional name={texts.referer} value={request.referer} />
      <dt>{texts.id}</dt>
      <dd>
        <code>{request.id}</code>
      </dd>
    </dl>
  )
}

function Optional({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { rule, target, attack, 'attack-detail': detail } = finding
  return (
    <Paper component="li" withBorder p="sm">
      <p className="finding-title">
        {finding['rule-type'] === 'Core Rule Set'
          ? `${all.partOf(target)}: ${all.lookedLike(rule, attack)}`
          : attack}
      </p>
      <dl className="facts">
        {rule !== '' && (
          <>
            <dt>{texts.rule}</dt>
            <dd>
              {rule} (
              <Link to="/firewall/log" search={{ rule }}>
                {texts.byRule}
              </Link>
              )
            </dd>
          </>
        )}
        <Optional name={texts.where} value={target} />
        <Optional name={texts.what} value={attack} />
        <Optional name={texts.detail} value={detail} />
      </dl>
    </Paper>
  )
}
