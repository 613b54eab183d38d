import { Loader, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { type LogEntry, readEntriesWithin } from './log-entries.ts'
import { type LoggedRequest, requestsOf } from './log-requests.ts'
import { type FirewallService, refreshMs } from './reads.ts'
import { RequestTable } from './request-table.tsx'
import { texts as all } from './texts.ts'

const texts = all.latest

/** How many requests are shown, and how many entries of the log are read for them: a request has several. */
const requestsMax = 8
const entriesMax = 100

/** The newest requests that a service has refused, each leading to why and to the exception; of one that only logs, those in which it has found something. */
export function LatestRefusals({ service }: { readonly service: FirewallService }) {
  const { firewall } = useSession()
  const { name, appId, mode } = service
  const isActive = mode === 'Active'
  const filters = { service: name, action: isActive ? ('DENY' as const) : ('LOG' as const) }
  const latest = useQuery({
    queryKey: ['firewall', 'latest refusals', appId, isActive],
    queryFn: () =>
      readEntriesWithin(firewall, filters, appId, {
        range: { from: undefined, to: undefined },
        offset: 0,
        limit: entriesMax,
      }),
    refetchInterval: refreshMs,
  })
  const title = isActive ? texts.refused : texts.logged
  return (
    <section>
      <h2 className="section-title">{title}</h2>
      {!isActive && <p>{texts.passive}</p>}
      {latest.isPending && <Loader aria-label={shared.loading} />}
      {latest.isError && <Failure error={latest.error} tryAgain={() => void latest.refetch()} />}
      {latest.data && <Requests title={title} isActive={isActive} entries={latest.data} />}
      {latest.data && latest.data.length > 0 && (
        <p>
          <Link className="link" to="/firewall/log" search={filters}>
            {texts.all}
          </Link>
        </p>
      )}
    </section>
  )
}

function Requests({
  title,
  isActive,
  entries,
}: {
  readonly title: string
  readonly isActive: boolean
  readonly entries: readonly LogEntry[]
}) {
  const requests = requestsOf(entries, all.isSum).slice(0, requestsMax)
  if (requests.length === 0) return <p>{isActive ? texts.noneRefused : texts.noneLogged}</p>
  return (
    <>
      <p className="small">{texts.choose}</p>
      <RequestTable label={title} headings={[texts.time, texts.why, texts.client]}>
        {requests.map((request) => (
          <Table.Tr key={request.telling.id}>
            <Table.Td>
              <Time at={new Date(request.telling.time).toISOString()} toTheSecond />
            </Table.Td>
            <Table.Td>
              <Reason request={request} />
              <div className="small">
                {request.telling.method} {request.telling.url}
              </div>
            </Table.Td>
            <Table.Td>{request.telling.client}</Table.Td>
          </Table.Tr>
        ))}
      </RequestTable>
    </>
  )
}

/** What was found in a request, leading to the page that explains it and lets it pass. */
function Reason({ request: { telling, findings } }: { readonly request: LoggedRequest }) {
  const reason = all.allShortly(findings)
  if (telling.request === '') return reason
  return (
    <Link className="link" to="/firewall/requests/$request" params={{ request: telling.request }}>
      {reason}
    </Link>
  )
}
