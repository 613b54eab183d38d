import { Alert, Button } from '@mantine/core'
import { texts } from '../texts.ts'

/** Says what went wrong, in the words of the service. */
export function Failure({
  error,
  title = texts.failed,
  tryAgain,
}: {
  readonly error: Error
  readonly title?: string
  readonly tryAgain?: () => void
}) {
  return (
    <Alert color="red" title={title} role="alert">
      <p>{error.message}</p>
      {tryAgain && (
        <Button variant="default" size="xs" onClick={tryAgain}>
          {texts.tryAgain}
        </Button>
      )}
    </Alert>
  )
}
