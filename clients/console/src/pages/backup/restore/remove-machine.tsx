import { answer } from '@palisade/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Confirm } from '../../../components/dialog.tsx'
import { type Restore, root, useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.machineResult

/** Removes the machine that a restore made, once somebody has read what goes with it. */
export function RemoveMachine({
  restore,
  name,
  onClose,
}: {
  readonly restore: Pick<Restore, 'id' | 'files'>
  readonly name: string
  readonly onClose: () => void
}) {
  const { client, path } = useComputer()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: () =>
      answer(
        client.DELETE(`${root}/restores/{id}/machine`, { params: { path: { ...path, id: restore.id } } }),
      ),
    async onSuccess() {
      onClose()
      await queries.invalidateQueries({ queryKey: ['backup'] })
    },
  })
  return (
    <Confirm
      title={texts.removeTitle(name)}
      action={texts.remove}
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeLoss}</p>
      <ul>
        {restore.files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
    </Confirm>
  )
}
