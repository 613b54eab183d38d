import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { answer } from '@palisade/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../components/dialog.tsx'
import { type BackupSet, root, useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.sets

/** Deletes a set, and its revisions only where that is said. */
export function DeleteSet({
  set: { id, name },
  onDeleted,
  onClose,
}: {
  readonly set: BackupSet
  readonly onDeleted: () => Promise<void>
  readonly onClose: () => void
}) {
  const { client, path } = useComputer()
  const [deleteData, setDeleteData] = useState(false)
  const deletion = useMutation({
    mutationFn: () =>
      answer(
        client.POST(`${root}/backupsets/delete`, {
          params: { path },
          body: { backupSetId: id, deleteData },
        }),
      ),
    async onSuccess() {
      onClose()
      await onDeleted()
    },
  })
  return (
    <Confirm
      title={texts.deleteTitle(name)}
      action={texts.delete}
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{deleteData ? texts.deleteAllLoss : texts.deleteLoss}</p>
      <Checkbox
        label={texts.deleteData}
        checked={deleteData}
        onChange={({ currentTarget: { checked } }) => setDeleteData(checked)}
      />
    </Confirm>
  )
}
