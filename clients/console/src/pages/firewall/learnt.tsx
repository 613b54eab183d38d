import { Button } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.learnt

/** What the firewall has learnt of ordinary requests, and the buttons that have it learn and make profiles of that. */
export function Learnt({ service }: { readonly service: string }) {
  const { firewall } = useSession()
  const queries = useQueryClient()
  const name = ['firewall', 'learnt', service]
  const learnt = useQuery({
    queryKey: name,
    queryFn: async () => {
      const path = { service_id: service }
      const [profiles, learning] = await Promise.all([
        answer(
          firewall.GET('/restapi/v3.2/services/{service}/profile-proposals', {
            params: { path: { service } },
          }),
        ),
        answer(firewall.GET('/restapi/v3.2/services/{service_id}/adaptive-profiling', { params: { path } })),
      ])
      return {
        paths: Object.values(profiles.data ?? {}).map((proposal) => Object(proposal).evidence === 'Enough'),
        learns: learning.data[service]?.['Adaptive Profiling'].status === 'On',
      }
    },
  })
  const settle = { onSuccess: () => queries.invalidateQueries({ queryKey: name }) }
  const learn = useMutation({
    ...settle,
    mutationFn: () =>
      answer(
        firewall.PUT('/restapi/v3.2/services/{service_id}/adaptive-profiling', {
          params: { path: { service_id: service } },
          body: { status: 'On' },
        }),
      ),
  })
  const accept = useMutation({
    ...settle,
    mutationFn: () =>
      answer(
        firewall.POST('/restapi/v3.2/services/{service}/profile-proposals', {
          params: { path: { service } },
          body: {},
        }),
      ),
  })
  if (learnt.isError) return <Failure error={learnt.error} tryAgain={() => void learnt.refetch()} />
  if (!learnt.data) return null
  const enough = learnt.data.paths.filter((isEnough) => isEnough).length
  const failure = learn.error ?? accept.error
  return (
    <>
      <h2 className="section-title">{texts.title}</h2>
      <p>{learnt.data.learns ? texts.paths(learnt.data.paths.length, enough) : texts.off}</p>
      {!learnt.data.learns && (
        <Button variant="default" loading={learn.isPending} onClick={() => learn.mutate()}>
          {texts.learn}
        </Button>
      )}
      {enough > 0 && (
        <Button variant="default" loading={accept.isPending} onClick={() => accept.mutate()}>
          {texts.accept(enough)}
        </Button>
      )}
      {accept.isSuccess && <p role="status">{accept.data.msg}</p>}
      {failure && <Failure error={failure} title={shared.refused} />}
    </>
  )
}
