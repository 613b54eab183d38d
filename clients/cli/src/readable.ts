import type { Columns, OutputOptions } from './output.ts'

/** What a server tells of a thing. */
export type Item = Readonly<Record<string, unknown>>

/** Columns of a table, by the names of members. */
export function columnsOf([id, ...others]: readonly [string, ...string[]]): Columns<Item> {
  return [columnOf(id), ...others.map(columnOf)]
}

/** An item as people read it; programs get it as it is. */
export function readable(item: Item, { output = 'table' }: OutputOptions): Item {
  if (output !== 'table') return item
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, readableValue(name, value)]))
}

function columnOf(name: string): Columns<Item>[0] {
  const heading = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return [heading, (item) => readableValue(name, item[name])]
}

/** Grants as `set grants=…` takes them. */
function readableValue(name: string, value: unknown): unknown {
  if (name !== 'grants' || !Array.isArray(value)) return value
  return value.map(({ role, service, account }) => [role, service, account].filter(Boolean).join(':'))
}
