import { Loader, Table } from '@mantine/core'
import { answer, shellWord } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { RequestTable } from './request-table.tsx'
import { texts as all } from './texts.ts'

const texts = all.replay

/** The requests of the log that exceptions would have let through, each with its client and what was found. */
export function Replay({ service, ids }: { readonly service: string; readonly ids: readonly string[] }) {
  const { firewall } = useSession()
  const exceptions = ids.join(',')
  const replay = useQuery({
    queryKey: ['firewall', 'replay', service, exceptions],
    queryFn: async () =>
      (
        await answer(
          firewall.GET('/restapi/v3.2/services/{service}/rule-exception-replay', {
            params: { path: { service }, query: { exceptions } },
          }),
        )
      ).data,
  })
  return (
    <section aria-label={texts.title}>
      <h3 className="replay-title">{texts.title}</h3>
      {replay.isPending && <Loader size="sm" aria-label={shared.loading} />}
      {replay.isError && <Failure error={replay.error} tryAgain={() => void replay.refetch()} />}
      {replay.data && <Replayed {...replay.data} />}
      <p className="small">{texts.limits}</p>
      <SameCall
        palisade={`palisade firewall exceptions replay ${shellWord(service)} ${ids.map(shellWord).join(' ')}`}
        path={`/firewall/restapi/v3.2/services/${encodeURIComponent(service)}/rule-exception-replay?exceptions=${encodeURIComponent(exceptions)}`}
      />
    </section>
  )
}

interface Listed {
  readonly id: string
  readonly time: string
  readonly 'client-ip': string
  readonly method: string
  readonly url: string
  readonly rules: readonly string[]
  readonly 'attack-detail': string
}

function Replayed({
  since,
  clients,
  requests,
  'requests-refused': refused,
  'requests-let-through': through,
}: {
  readonly since: string
  readonly clients: string
  readonly requests: readonly Listed[]
  readonly 'requests-refused': string
  readonly 'requests-let-through': string
}) {
  const { request: shown } = useParams({ strict: false })
  if (requests.length === 0) return <p>{texts.nothing}</p>
  return (
    <>
      <p>
        {texts.counted(through, refused, clients)}
        <Time at={since} />.
      </p>
      <RequestTable
        label={texts.list}
        headings={[texts.time, texts.client, texts.request, texts.rules, texts.detail]}
      >
        {requests.map((request) => (
          <Table.Tr key={request.id}>
            <Table.Td>
              <Link to="/firewall/requests/$request" params={{ request: request.id }}>
                <Time at={request.time} />
              </Link>
              {request.id === shown && ` (${texts.this})`}
            </Table.Td>
            <Table.Td>{request['client-ip']}</Table.Td>
            <Table.Td>
              {request.method} {request.url}
            </Table.Td>
            <Table.Td>{request.rules.join(', ')}</Table.Td>
            <Table.Td className="replay-detail">{request['attack-detail']}</Table.Td>
          </Table.Tr>
        ))}
      </RequestTable>
    </>
  )
}
