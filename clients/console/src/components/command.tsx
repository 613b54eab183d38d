import { Button, Group } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { curlLine } from '../curl.ts'
import { texts } from '../texts.ts'

/** A command line that can be copied. */
export function Command({ line }: { readonly line: string }) {
  const { copy, copied } = useClipboard()
  return (
    <Group gap="xs" align="stretch" wrap="nowrap">
      <code className="command">{line}</code>
      <Button variant="default" size="xs" h="auto" flex="none" onClick={() => copy(line)} aria-live="polite">
        {copied ? texts.copied : texts.copy}
      </Button>
    </Group>
  )
}

/** How a page's data are got without the console: by `palisade`, and by curl. */
export function SameCall({
  palisade,
  path,
  method = 'GET',
}: {
  readonly palisade: string
  readonly path: string
  /** A POST has an empty object as its body. */
  readonly method?: 'GET' | 'POST'
}) {
  return (
    <details className="same-call">
      <summary>{texts.call}</summary>
      <Command line={palisade} />
      <Command
        line={curlLine({
          method,
          path,
          ...(method === 'POST' && { options: ["-H 'Content-Type: application/json'", "-d '{}'"] }),
        })}
      />
    </details>
  )
}
