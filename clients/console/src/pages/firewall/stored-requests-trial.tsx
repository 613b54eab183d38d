import { Loader } from '@mantine/core'
import { answer, shellWord } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.trial

/** What the smallest exception for a refused request would do to the requests that its service keeps: judged anew by a proxy. */
export function StoredRequestsTrial({ request }: { readonly request: string }) {
  const session = useSession()
  const { firewall } = session
  const isAllowed = mayChange(session, 'firewall')
  const trial = useQuery({
    queryKey: ['firewall', 'smallest-exception', request],
    enabled: isAllowed,
    // It takes a proxy some seconds.
    retry: false,
    staleTime: 60_000,
    queryFn: async () =>
      (
        await answer(
          firewall.POST('/restapi/v3.2/refused-requests/{id}/smallest-exception', {
            params: { path: { id: request } },
            body: {},
          }),
        )
      ).data,
  })
  if (!isAllowed) return null
  return (
    <section aria-label={texts.title}>
      <h3 className="replay-title">{texts.title}</h3>
      {trial.isPending && <Loader size="sm" aria-label={shared.loading} />}
      {trial.isError && <Failure error={trial.error} tryAgain={() => void trial.refetch()} />}
      {trial.data && (
        <p>
          {trial.data.trial === undefined
            ? trial.data.reason
            : texts.counted(trial.data['also-would-pass'], trial.data.trial['requests-tried'])}
        </p>
      )}
      {trial.data?.passes === 'No' && <p>{texts.doesNotPass}</p>}
      <SameCall
        palisade={`palisade firewall exceptions smallest ${shellWord(request)}`}
        path={`/firewall/restapi/v3.2/refused-requests/${encodeURIComponent(request)}/smallest-exception`}
        method="POST"
      />
    </section>
  )
}
