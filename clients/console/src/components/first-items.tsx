import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts.ts'

/** The first of many items that are all here already, and a button for more: drawing thousands takes seconds. */
export function FirstItems<Item>({
  items,
  step,
  children,
}: {
  readonly items: readonly Item[]
  /** How many are shown at first, and how many more each time. */
  readonly step: number
  readonly children: (items: readonly Item[]) => ReactNode
}) {
  const [count, setCount] = useState(step)
  return (
    <>
      {children(items.slice(0, count))}
      {items.length > count && (
        <Button variant="default" mt="md" onClick={() => setCount(count + step)}>
          {texts.moreOf(Math.min(count, items.length), items.length)}
        </Button>
      )}
    </>
  )
}
