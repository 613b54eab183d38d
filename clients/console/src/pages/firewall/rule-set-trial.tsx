import { Button, Group, Loader, NativeSelect, Table } from '@mantine/core'
import { answer, shellWord } from '@palisade/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { RequestTable } from './request-table.tsx'
import { texts as all } from './texts.ts'

const texts = all.ruleSetTrial

/** Has the requests that a service keeps judged by other rules, before these count. Nothing where there are neither. */
export function RuleSetTrial({ service }: { readonly service: string }) {
  const session = useSession()
  const { firewall } = session
  const isAllowed = mayChange(session, 'firewall')
  const [chosen, choose] = useState('')
  const stored = useQuery({
    queryKey: ['firewall', 'stored-requests', service],
    enabled: isAllowed,
    queryFn: async () =>
      (
        await answer(
          firewall.GET('/restapi/v3.2/services/{service}/stored-requests', { params: { path: { service } } }),
        )
      ).data,
  })
  const trial = useMutation({
    mutationFn: async (ruleSet: string) =>
      (
        await answer(
          firewall.POST('/restapi/v3.2/services/{service}/stored-request-trials', {
            params: { path: { service } },
            body: { 'rule-set': ruleSet },
          }),
        )
      ).data,
  })
  if (!stored.data || stored.data['rule-sets'].length === 0 || stored.data.requests === '0') return null
  const ruleSet = chosen || stored.data['rule-sets'][0] || ''
  return (
    <section aria-label={texts.title}>
      <h2 className="section-title">{texts.title}</h2>
      <p className="small">{texts.explanation(stored.data.requests)}</p>
      <Group align="end">
        <NativeSelect
          label={texts.ruleSet}
          value={ruleSet}
          data={stored.data['rule-sets']}
          onChange={({ currentTarget: { value } }) => {
            choose(value)
            trial.reset()
          }}
        />
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate(ruleSet)}>
          {texts.try}
        </Button>
      </Group>
      {trial.isPending && <Loader size="sm" aria-label={shared.loading} />}
      {trial.isError && <Failure error={trial.error} />}
      {trial.data && <Outcome {...trial.data} />}
      <SameCall
        palisade={`palisade firewall stored-traffic try ${shellWord(service)} --rule-set ${shellWord(ruleSet)}`}
        path={`/firewall/restapi/v3.2/services/${encodeURIComponent(service)}/stored-request-trials`}
        method="POST"
      />
    </section>
  )
}

interface TriedRequest {
  readonly id: string
  readonly time: string
  readonly 'client-ip': string
  readonly method: string
  readonly url: string
  readonly outcome: string
  readonly found: readonly { readonly rule: string; readonly attack: string }[]
}

function Outcome({
  requests,
  'requests-tried': tried,
  'would-pass': through,
  'would-be-refused': refused,
  'rule-set': rules,
}: {
  readonly requests: readonly TriedRequest[]
  readonly 'requests-tried': string
  readonly 'would-pass': string
  readonly 'would-be-refused': string
  readonly 'rule-set'?: { readonly notice: string }
}) {
  return (
    <>
      <p>{texts.counted(tried, refused, through)}</p>
      {rules !== undefined && rules.notice !== '' && <p className="small">{rules.notice}</p>}
      {requests.length > 0 && (
        <RequestTable
          label={texts.list}
          headings={[texts.outcome, texts.time, texts.client, texts.request, texts.rules]}
        >
          {requests.map((request) => (
            <Table.Tr key={request.id}>
              <Table.Td>{request.outcome}</Table.Td>
              <Table.Td>
                <Time at={request.time} />
              </Table.Td>
              <Table.Td>{request['client-ip']}</Table.Td>
              <Table.Td>
                {request.method} {request.url}
              </Table.Td>
              <Table.Td className="replay-detail">
                {request.found.map(({ rule, attack }) => `${rule} ${attack}`.trim()).join('; ')}
              </Table.Td>
            </Table.Tr>
          ))}
        </RequestTable>
      )}
    </>
  )
}
