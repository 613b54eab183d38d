import { Loader, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Combobox.css'
import { answer, type EmailSchemas } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Bars } from '../../components/bars.tsx'
import { Chart } from '../../components/chart.tsx'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { seriesOf, threatsOf } from './mail-series.ts'
import { texts as all } from './texts.ts'

const texts = all.statistics
const periods = { '24h': 30, '1h': 48 } as const
const refreshMs = 60_000

type Statistics = EmailSchemas['schemas']['Statistics']

/** What became of the mail of an account, or of one of its domains, over time. */
export function MailStatistics({ account, domain }: { readonly account: string; readonly domain?: string }) {
  const { email } = useSession()
  const [period, setPeriod] = useState<keyof typeof periods>('24h')
  const query = { period, count: periods[period] }
  const statistics = useQuery({
    queryKey: ['email-statistics', account, domain, period],
    queryFn: () =>
      domain === undefined
        ? answer(
            email.GET('/beta/accounts/{account_id}/ess/statistics', {
              params: { path: { account_id: account }, query },
            }),
          )
        : answer(
            email.GET('/beta/accounts/{account_id}/ess/domains/{domain}/statistics', {
              params: { path: { account_id: account, domain }, query },
            }),
          ),
    refetchInterval: refreshMs,
  })
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.title}</h2>
        <NativeSelect
          mt="lg"
          aria-label={texts.period}
          value={period}
          onChange={({ currentTarget }) => setPeriod(currentTarget.value === '1h' ? '1h' : '24h')}
          data={[
            { value: '24h', label: texts.days },
            { value: '1h', label: texts.hours },
          ]}
        />
      </div>
      {statistics.isPending && <Loader aria-label={shared.loading} />}
      {statistics.error && <Failure error={statistics.error} />}
      {statistics.data && <Charts statistics={statistics.data} period={period} />}
    </>
  )
}

function Charts({
  statistics,
  period,
}: {
  readonly statistics: Statistics
  readonly period: keyof typeof periods
}) {
  const { inbound, outbound } = statistics
  if (Object.keys(inbound).length + Object.keys(outbound).length === 0) {
    return <p className="quiet">{texts.none}</p>
  }
  const blocks = { hours: period === '1h' ? 1 : 24, count: periods[period] }
  const threats = threatsOf([inbound, outbound])
  return (
    <>
      {([inbound, outbound] as const).map((direction, place) => (
        <Chart
          key={place === 0 ? 'in' : 'out'}
          title={place === 0 ? texts.inbound : texts.outbound}
          {...seriesOf(direction, blocks, Date.now())}
        />
      ))}
      {threats.length > 0 && (
        <section className="card">
          <h3>{texts.threats}</h3>
          <Bars
            of={Math.max(...threats.map(({ count }) => count))}
            bars={threats.map(({ name, count }) => ({
              label: name,
              value: count,
              color: 'var(--mantine-color-red-6)',
            }))}
          />
        </section>
      )}
    </>
  )
}
