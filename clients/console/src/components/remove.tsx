import { Button, Loader } from '@mantine/core'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdministeredItem } from '../administered-item.ts'
import { sentenceText } from '../format.ts'
import { texts } from '../texts.ts'
import { useChange } from '../use-change.ts'
import { Confirm } from './dialog.tsx'
import { Failure } from './failure.tsx'

/** A button that removes something, once it was said what would be lost with it. */
export function Remove({
  item,
  action,
  title,
  refresh,
  size = 'xs',
  onDone,
}: {
  readonly item: AdministeredItem<unknown>
  /** The words of the button: a verb and its object. */
  readonly action: string
  /** The question, which names the thing. */
  readonly title: string
  /** Keys of the queries that show the thing. */
  readonly refresh: readonly QueryKey[]
  /** Of the button: small in tables, as large as its neighbours elsewhere. */
  readonly size?: 'xs' | 'sm'
  readonly onDone?: () => void
}) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size={size}
        aria-haspopup="dialog"
        onClick={() => setAsked(true)}
        aria-label={`${action}: ${title}`}
      >
        {action}
      </Button>
      {isAsked && (
        <RemoveDialog
          {...{ item, action, title, refresh }}
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false)
            onDone?.()
          }}
        />
      )}
    </>
  )
}

function RemoveDialog({
  item,
  action,
  title,
  refresh,
  onDone,
  onClose,
}: Parameters<typeof Remove>[0] & { readonly onClose: () => void }) {
  const losses = useQuery({ queryKey: ['losses', item], queryFn: () => item.losses(), gcTime: 0 })
  const removal = useChange(() => item.remove(), { refresh, onDone })
  return (
    <Confirm
      title={title}
      action={action}
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {losses.isPending && <Loader aria-label={texts.loading} />}
      {losses.error && <Failure error={losses.error} />}
      {losses.data?.length === 0 && <p>{texts.nothingLost}</p>}
      {losses.data !== undefined && losses.data.length > 0 && (
        <>
          <p>{texts.losses}</p>
          <ul>
            {losses.data.map((loss) => (
              <li key={loss}>{sentenceText(loss)}</li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  )
}
