import { Alert, Loader } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Failure } from '../../components/failure.tsx'
import { refreshMs, root, useComputer } from './data.ts'
import { texts as all } from './texts.ts'

const texts = all.action

/** What comes of a verification, a comparison or a run of a set: looked at until it has ended. */
export function ActionProgress({ id, onEnd }: { readonly id: string; readonly onEnd: () => void }) {
  const { client, path } = useComputer()
  const { data: action, error } = useQuery({
    queryKey: ['backup action', path, id],
    queryFn: async () =>
      (await answer(client.GET(`${root}/backupsets/{id}/info`, { params: { path: { ...path, id } } }))).data,
    refetchInterval: ({ state: { data } }) => (data?.ended ? false : refreshMs / 2),
  })
  const hasEnded = action !== undefined && action.ended !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is told once
  useEffect(() => {
    if (hasEnded) onEnd()
  }, [hasEnded])
  if (error) return <Failure error={error} />
  if (action === undefined || !hasEnded) {
    return (
      <p className="outcome" aria-live="polite">
        <Loader size="xs" aria-hidden="true" />{' '}
        {action?.state === 'CREATED' ? texts.waits : texts.goesOn[action?.kind ?? 'run-set']}
      </p>
    )
  }
  const { state, reason, kind } = action
  const title =
    state === 'SUCCESS' ? texts.succeeded[kind] : texts[state === 'WARNING' ? 'warning' : 'failed'][kind]
  return (
    <Alert
      color={state === 'SUCCESS' ? 'green' : state === 'WARNING' ? 'yellow' : 'red'}
      title={title}
      role="status"
    >
      {reason}
    </Alert>
  )
}
