import { Option } from '@commander-js/extra-typings'
import Table from 'cli-table3'
import { stringify } from 'yaml'

/** How a command prints what it has read. */
export type OutputFormat = 'table' | 'json' | 'yaml'

/** Options of every command that prints what it has read. */
export interface OutputOptions {
  readonly output?: OutputFormat
  /** Nothing but the names or ids, a line each; and no word of what has been done. */
  readonly quiet?: true | undefined
}

/** `--output`, for tables that people read or documents that programs read. */
export function outputOption() {
  return new Option('-o, --output <format>', 'how the result is printed').choices([
    'table',
    'json',
    'yaml',
  ] as const)
}

/** `--quiet`. */
export function quietOption() {
  return new Option('-q, --quiet', 'print names or ids alone, and no word of what was done')
}

/** A column of a table: its heading, and what an item has in it. */
export type Column<Item> = readonly [heading: string, value: (item: Item) => unknown]

/** At least one; the first has the name or id, see {@link printList}. */
export type Columns<Item> = readonly [Column<Item>, ...Column<Item>[]]

/**
 * Prints a list. Programs get the items whole, people the columns; the first column is what `--quiet` prints.
 */
export function printList<Item>(
  items: readonly Item[],
  columns: Columns<Item>,
  { output = 'table', quiet }: OutputOptions,
): void {
  if (quiet) printLines(items.map((item) => cell(columns[0][1](item))))
  else if (output !== 'table') printDocument(items, output)
  else printRows(items, columns, { withHead: true })
}

/** Rows of a table that are laid out together. */
const rowsAtOnce = 1000

/** Prints a list of any length while it arrives, as {@link printList} does. */
export async function printEach<Item>(
  items: AsyncIterable<Item>,
  columns: Columns<Item>,
  options: OutputOptions,
): Promise<void> {
  const { output = 'table', quiet } = options
  let printed = 0
  let rows: Item[] = []
  const printTable = () => {
    printRows(rows, columns, { withHead: printed === rows.length })
    rows = []
  }
  for await (const item of items) {
    printed += 1
    if (quiet) printLines([cell(columns[0][1](item))])
    else if (output === 'json') process.stdout.write(`${printed === 1 ? '[' : ','}\n${indented(item)}`)
    else if (output === 'yaml') printDocument([item], output)
    else if (rows.push(item) === rowsAtOnce) printTable()
  }
  if (quiet) return
  if (output === 'json') console.log(printed === 0 ? '[]' : '\n]')
  else if (output === 'yaml' && printed === 0) console.log('[]')
  else if (output === 'table' && (rows.length > 0 || printed === 0)) printTable()
}

/** Prints one item of a list that goes on: for people as a line, as JSON in one line. */
export function printLine<Item>(
  item: Item,
  columns: Columns<Item>,
  { output = 'table', quiet }: OutputOptions,
): void {
  if (output === 'yaml') printDocument([item], output)
  else if (output === 'json') console.log(JSON.stringify(item))
  else console.log((quiet ? columns.slice(0, 1) : columns).map(([, value]) => cell(value(item))).join('  '))
}

/**
 * Prints one thing: for people as lines of `name  value`.
 *
 * @param paint what a name looks like, such as coloured
 */
export function printThing(
  thing: object,
  { output = 'table' }: OutputOptions,
  paint = (name: string) => name,
): void {
  if (output !== 'table') {
    printDocument(thing, output)
    return
  }
  const rows = Object.entries(thing).map(([name, value]) => [name, cell(value)] as const)
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  printLines(
    rows.map(([name, value]) => `${paint(name)}${' '.repeat(width - name.length)}  ${value}`.trimEnd()),
  )
}

/** Says what has been done, unless `--quiet`. */
export function say(sentence: string, { quiet }: OutputOptions): void {
  if (!quiet) console.log(sentence)
}

// Columns without lines between them, so that each row is a line for grep and awk.
const plain = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((place) => [place, `${place}-mid`, `${place}-left`, `${place}-right`, `mid-${place}`])
    .map((place) => [place, '']),
)

function printRows<Item>(
  items: readonly Item[],
  columns: Columns<Item>,
  { withHead }: { withHead: boolean },
): void {
  const table = new Table({
    chars: plain,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  })
  if (withHead) table.push(columns.map(([heading]) => heading.toUpperCase()))
  table.push(...items.map((item) => columns.map(([, value]) => cell(value(item)))))
  printLines(
    table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd()),
  )
}

function indented(item: unknown): string {
  return JSON.stringify(item, undefined, 2).replace(/^/gm, '  ')
}

function printDocument(value: unknown, format: 'json' | 'yaml'): void {
  console.log(format === 'json' ? JSON.stringify(value, undefined, 2) : stringify(value).trimEnd())
}

function printLines(lines: readonly string[]): void {
  if (lines.length > 0) console.log(lines.join('\n'))
}

// What a terminal would obey: C0, DEL and C1 control characters (ECMA-48), but for the line feed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is sought
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

/** The text of a value in a cell. What others have written cannot move the cursor or colour the terminal. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return cell(value.join(', '))
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(controls, '\u{fffd}')
}
