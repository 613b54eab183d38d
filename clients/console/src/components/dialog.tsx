import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { texts } from '../texts.ts'
import { Failure } from './failure.tsx'

/**
 * Something that stands before the page until it is answered: the browser's own dialog, with its focus and its Escape key. The focus
 * returns to where it was before.
 */
export function Dialog({
  title,
  children,
  onClose,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading} className="section-title">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** Asks whether something shall really be done that cannot be taken back by another click. */
export function Confirm({
  title,
  children,
  action,
  isPending,
  error,
  onConfirm,
  onClose,
}: {
  readonly title: string
  /** What will happen, and what would be lost. */
  readonly children: ReactNode
  /** The words of the button that does it: a verb and its object. */
  readonly action: string
  readonly isPending: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error && <Failure error={error} title={texts.refused} />}
      <Group mt="md">
        <Button color="red.8" loading={isPending} onClick={onConfirm}>
          {action}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
      </Group>
    </Dialog>
  )
}
