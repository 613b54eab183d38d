import { useQuery } from '@tanstack/react-query'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { pageQuery, readAll } from '../../read-all.ts'
import { useSession } from '../../use-session.ts'
import { Channels } from './channels.tsx'
import { Routes } from './notification-routes.tsx'
import { texts } from './texts.ts'

/** How the channels fare is looked at again after this time. */
const refreshMs = 10_000

/** Who is told when something needs attention. */
export function NotificationsPage() {
  const { administration } = useSession()
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: () =>
      readAll((after) => administration.GET('/channels', { params: { query: pageQuery(after) } })),
    refetchInterval: refreshMs,
  })
  const routes = useQuery({
    queryKey: ['routes'],
    queryFn: () => readAll((after) => administration.GET('/routes', { params: { query: pageQuery(after) } })),
  })
  const error = channels.error ?? routes.error
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      {error && <Failure error={error} tryAgain={() => void channels.refetch()} />}
      {channels.data && <Channels channels={channels.data} />}
      {channels.data && routes.data && (
        <Routes routes={routes.data} channels={channels.data.map(({ name }) => name)} />
      )}
      <SameCall palisade="palisade channels list" path="/admin/v1/channels" />
    </>
  )
}
