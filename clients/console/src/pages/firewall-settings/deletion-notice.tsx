import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import { useManagement } from './management.ts'
import { texts as all } from './texts.ts'

/** What was deleted before a page was shown. */
interface Deletion {
  /** As people call it, such as "Service shop". */
  readonly what: string
  /** The name of the checkpoint that takes it back; undefined where nothing does. */
  readonly checkpoint: string | undefined
  readonly isUndone?: true
}

declare module '@tanstack/react-router' {
  // In no address: a link must not have somebody roll back to a checkpoint of its choice.
  interface HistoryState {
    readonly deletion?: Deletion
  }
}

/** Says on the page after a deletion what is deleted, and takes it back. */
export function DeletionNotice() {
  const deletion = useRouterState({ select: ({ location }) => location.state.deletion })
  const management = useManagement()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const undoing = useMutation({
    mutationFn: (checkpoint: string) =>
      management.change('POST', `configuration-checkpoints/${encodeURIComponent(checkpoint)}/rollback`, {
        'dry-run': 'No',
      }),
    async onSuccess() {
      if (deletion)
        await navigate({ to: '.', replace: true, state: { deletion: { ...deletion, isUndone: true } } })
      await queries.invalidateQueries({ queryKey: ['firewall'] })
    },
  })
  if (deletion === undefined) return null
  const { what, checkpoint, isUndone } = deletion
  if (isUndone) return <Alert color="green" role="status" title={`${what} ${all.object.isBack}`} mb="md" />
  return (
    <Alert color="green" role="status" title={`${what} ${all.object.isDeleted}`} mb="md">
      {checkpoint !== undefined && (
        <Button
          variant="default"
          size="xs"
          loading={undoing.isPending}
          onClick={() => undoing.mutate(checkpoint)}
        >
          {all.object.undo}
        </Button>
      )}
      {undoing.error && <Failure error={undoing.error} title={shared.refused} />}
    </Alert>
  )
}
