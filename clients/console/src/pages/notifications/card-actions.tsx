import { Alert, Button, Group } from '@mantine/core'
import type { AdministeredItem } from '../../administered-item.ts'
import { Failure } from '../../components/failure.tsx'
import { Remove } from '../../components/remove.tsx'
import { texts as shared } from '../../texts.ts'
import { useChange } from '../../use-change.ts'
import { texts as all } from './texts.ts'

/** What is done with a channel or a route: a test is sent by it, it is changed, and removed. */
export function CardActions({
  title,
  managedBy,
  sendTest,
  change,
  item,
  texts,
  refresh,
}: {
  /** Names the channel or the route. */
  readonly title: string
  /** The file that has it, and in which alone it is changed; null where none does. */
  readonly managedBy: string | null
  readonly sendTest: () => Promise<unknown>
  readonly change: () => void
  readonly item: AdministeredItem<unknown>
  readonly texts: Readonly<Record<'test' | 'change' | 'remove' | 'removeTitle', string>>
  /** The key of the query that shows it. */
  readonly refresh: string
}) {
  const test = useChange(sendTest, { refresh: [['channels']] })
  return (
    <>
      {test.isSuccess && (
        <Alert color="blue" role="status" mb="sm">
          {all.channels.tested}
        </Alert>
      )}
      {test.error && <Failure error={test.error} title={shared.refused} />}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          onClick={() => test.mutate()}
          aria-label={`${texts.test}: ${title}`}
        >
          {texts.test}
        </Button>
        {managedBy === null && (
          <>
            <Button
              variant="default"
              size="xs"
              aria-haspopup="dialog"
              onClick={change}
              aria-label={`${texts.change}: ${title}`}
            >
              {texts.change}
            </Button>
            <Remove
              item={item}
              action={texts.remove}
              title={`${texts.removeTitle} ${title}`}
              refresh={[[refresh]]}
            />
          </>
        )}
      </Group>
    </>
  )
}
