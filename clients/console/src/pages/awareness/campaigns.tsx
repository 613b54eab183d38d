import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Bars } from '../../components/bars.tsx'
import { Chart } from '../../components/chart.tsx'
import { SameCall } from '../../components/command.tsx'
import { Listing } from '../../components/listing.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { pageQuery } from '../../read-all.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.campaigns

type Campaign = Omit<AdministrationSchemas['schemas']['AwarenessCampaign'], 'managedBy'>

/** What people do with a mail, from nothing on; by name of the figure. */
const deeds = [
  ['opened', 'var(--mantine-color-blue-6)'],
  ['clicked', 'var(--mantine-color-orange-6)'],
  ['submitted', 'var(--mantine-color-red-7)'],
  ['reported', 'var(--mantine-color-teal-6)'],
] as const

/** Campaigns with their results, the newest first. */
export function CampaignsPage() {
  const { administration } = useSession()
  const read = (after: string | undefined) =>
    answer(
      administration.GET('/awareness/campaigns', {
        params: { query: { ...pageQuery(after), order: '-id' } },
      }),
    )
  const newest = useQuery({ queryKey: ['campaigns', 'newest'], queryFn: () => read(undefined) })
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Shares campaigns={newest.data?.items ?? []} />
      <Listing
        title={texts.title}
        empty={texts.empty}
        name={['campaigns']}
        read={read}
        idOf={({ id }) => String(id)}
        columns={[
          [texts.name, ({ name }) => name],
          [
            texts.status,
            ({ status }) => <State state={status === 'Completed' ? 'good' : 'idle'}>{status}</State>,
          ],
          [texts.launched, ({ launched }) => <Day text={launched} />],
          [texts.sent, ({ sent }) => sent],
          [texts.results, (campaign) => <Results campaign={campaign} />],
        ]}
      />
      <SameCall
        palisade="palisade awareness campaigns list --order=-id"
        path="/admin/v1/awareness/campaigns?order=-id"
      />
    </>
  )
}

function percent(share: number): string {
  return `${share} %`
}

function Results({ campaign }: { readonly campaign: Campaign }) {
  if (campaign.sent === 0) return <span className="quiet">{texts.notSent}</span>
  return (
    <Bars
      of={campaign.sent}
      bars={deeds.map(([deed, color]) => ({
        label: texts[deed],
        value: campaign[deed],
        color,
        text: `${campaign[deed]} (${shareOf(campaign, deed)} %)`,
      }))}
    />
  )
}

/** How the shares have come along from campaign to campaign; nothing before there are two of them. */
function Shares({ campaigns }: { readonly campaigns: readonly Campaign[] }) {
  const launched = campaigns
    .flatMap((campaign) => {
      const at = momentOf(campaign.launched)
      return at === undefined || campaign.sent === 0 ? [] : [{ at, campaign }]
    })
    .toSorted((one, other) => one.at - other.at)
  if (launched.length < 2) return null
  return (
    <Chart
      title={texts.shares}
      show={percent}
      times={launched.map(({ at }) => at / 1000)}
      series={deeds.map(([deed, color]) => ({
        label: texts[deed],
        color,
        values: launched.map(({ campaign }) => shareOf(campaign, deed)),
      }))}
    />
  )
}

function Day({ text }: { readonly text: string | null }) {
  const at = momentOf(text)
  return at !== undefined && <Time at={new Date(at).toISOString()} />
}

/** Milliseconds since 1970. @param text a moment in UTC as the service writes it, `2030-01-31 23:59:59` */
function momentOf(text: string | null): number | undefined {
  const at = text === null ? Number.NaN : Date.parse(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? undefined : at
}

/** Of a hundred who got the mail. */
function shareOf(campaign: Campaign, deed: (typeof deeds)[number][0]): number {
  return Math.round((campaign[deed] / campaign.sent) * 1000) / 10
}
