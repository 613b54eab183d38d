import { Button, Group } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { shellWord } from '@palisade/sdk'
import { firewallAdministrator } from '../session.ts'
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
      <Command line={curlOf(path, method)} />
    </details>
  )
}

/** The call by curl, for a shell whose `PALISADE_TOKEN` is an operator's API token. */
function curlOf(path: string, method: 'GET' | 'POST'): string {
  const bearer = '-H "Authorization: Bearer $PALISADE_TOKEN"'
  const body = method === 'POST' ? `-H 'Content-Type: application/json' -d '{}' ` : ''
  const address = body + shellWord(location.origin + path)
  if (!path.startsWith('/firewall/')) return `curl ${bearer} ${address}`
  // The firewall's management takes tokens of its own administrators alone, which an operator's token opens.
  const issue = shellWord(
    `${location.origin}/admin/v1/firewall/administrators/${firewallAdministrator}/token`,
  )
  return `TOKEN=$(curl -sX POST ${bearer} ${issue} | jq -r .token) && curl -u "$TOKEN:" ${address}`
}
