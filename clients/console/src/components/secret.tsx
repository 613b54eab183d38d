import { Button } from '@mantine/core'
import { texts } from '../texts.ts'
import { Command } from './command.tsx'
import { Dialog } from './dialog.tsx'

/** A secret that the server shows this once. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  readonly title: string
  readonly secret: string
  readonly onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{texts.shownOnce}</p>
      <Command line={secret} />
      <Button mt="md" onClick={onClose}>
        {texts.secretCopied}
      </Button>
    </Dialog>
  )
}
