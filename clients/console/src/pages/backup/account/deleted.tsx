import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { texts as shared } from '../../../texts.ts'
import { texts as all } from '../texts.ts'

const texts = all.deleted

interface DeletedItem {
  readonly deletedAt: string | null
  readonly purgeAt: string | null
}

/** What was deleted and can be taken back until its grace period is over; nothing where there is none. */
export function Deleted<Item extends DeletedItem>({
  name,
  read,
  titleOf,
  idOf,
  takeBack,
  isAllowed,
  onTakenBack,
}: {
  /** Names the listing among what has been read. */
  readonly name: readonly unknown[]
  readonly read: () => Promise<{ readonly items: readonly Item[] }>
  readonly titleOf: (item: Item) => string
  readonly idOf: (item: Item) => string
  readonly takeBack: (item: Item) => Promise<unknown>
  /** Whether whoever looks may take it back. */
  readonly isAllowed: boolean
  readonly onTakenBack: () => void
}) {
  const { data } = useQuery({ queryKey: name, queryFn: read })
  const undelete = useMutation({ mutationFn: takeBack, onSuccess: onTakenBack })
  if (data === undefined || data.items.length === 0) return null
  return (
    <section aria-labelledby="deleted">
      <h2 id="deleted" className="section-title">
        {texts.title}
      </h2>
      {undelete.error && <Failure error={undelete.error} title={shared.refused} />}
      <ul>
        {data.items.map((item) => (
          <li key={idOf(item)}>
            {titleOf(item)}, {texts.goesAt} <Time at={item.purgeAt} />{' '}
            {isAllowed && (
              <Button
                variant="default"
                size="xs"
                loading={undelete.isPending && undelete.variables === item}
                onClick={() => undelete.mutate(item)}
                aria-label={texts.takeBackItem(titleOf(item))}
              >
                {texts.takeBack}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
