import { Loader } from '@mantine/core'
import { Chart, type Series } from '../../components/chart.tsx'
import { Failure } from '../../components/failure.tsx'
import { bytesText } from '../../format.ts'
import { texts as shared } from '../../texts.ts'
import { type History, useHistory } from './reads.ts'
import { texts as all } from './texts.ts'

const texts = all.service

/** The charts: what each shows, in which colours. */
const colors = {
  first: 'var(--mantine-color-blue-6)',
  second: 'var(--mantine-color-orange-6)',
  bad: 'var(--mantine-color-red-6)',
} as const

const counters = [
  ...['requests', 'responses', 'responses-4xx', 'responses-5xx', 'attacks-denied', 'attacks-logged'],
  ...['bytes-sent', 'bytes-received', 'time-taken-ms', 'server-time-ms', 'responses-from-server'],
].join(',')

/** Requests, attacks, bytes and times of a service, drawn anew while it is looked at. */
export function TrafficCharts({
  service,
  range,
}: {
  readonly service: string
  readonly range: { readonly stepMinutes: number; readonly steps: number }
}) {
  const history = useHistory(counters, range, service)
  if (history.isError) return <Failure error={history.error} tryAgain={() => void history.refetch()} />
  if (!history.data) return <Loader aria-label={shared.loading} />
  const { times } = history.data
  const of = (counter: string) => history.data.of(service, counter)
  return (
    <div className="charts">
      <Chart
        title={texts.requests}
        times={times}
        series={[
          line(texts.requestsOf.requests, colors.first, of('requests')),
          line(texts.requestsOf['responses-4xx'], colors.second, of('responses-4xx')),
          line(texts.requestsOf['responses-5xx'], colors.bad, of('responses-5xx')),
        ]}
      />
      <Chart
        title={texts.attacks}
        times={times}
        series={[
          line(texts.attacksOf['attacks-denied'], colors.bad, of('attacks-denied')),
          line(texts.attacksOf['attacks-logged'], colors.second, of('attacks-logged')),
        ]}
      />
      <Chart
        title={texts.bytes}
        times={times}
        show={bytesText}
        series={[
          line(texts.bytesOf['bytes-sent'], colors.first, of('bytes-sent')),
          line(texts.bytesOf['bytes-received'], colors.second, of('bytes-received')),
        ]}
      />
      <Chart title={texts.times} times={times} show={millisecondsText} series={meanTimes(of)} />
    </div>
  )
}

function line(label: string, color: string, values: Series['values']): Series {
  return { label, color, values }
}

function meanTimes(of: (counter: string) => ReturnType<History['of']>): readonly Series[] {
  const mean = (sum: string, count: string) => {
    const counts = of(count)
    return of(sum).map((value, step) => {
      const by = counts[step] ?? 0
      return by === 0 ? null : Math.round((value / by) * 10) / 10
    })
  }
  return [
    line(texts.timesOf['time-taken-ms'], colors.first, mean('time-taken-ms', 'responses')),
    line(texts.timesOf['server-time-ms'], colors.second, mean('server-time-ms', 'responses-from-server')),
  ]
}

function millisecondsText(milliseconds: number): string {
  return `${milliseconds}${texts.milliseconds}`
}
