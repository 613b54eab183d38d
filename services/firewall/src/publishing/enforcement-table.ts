import { catalogue } from '../catalogue/index.ts'
import { enforcedFields, enforcedKinds, unenforcedFields } from '../features/enforced-fields.ts'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'

/** The lines of the tables in docs/firewall-enforcement.md: where, what is enforced, what is kept; one for each kind and section. */
export function enforcementRows(): readonly string[] {
  const compiled = compileCatalogue(catalogue)
  return enforcedKinds.flatMap((name) => {
    const kind = compiled.get(name)
    if (kind === undefined) throw new Error(`a reader reads the kind ${name}, which is not there`)
    return rowsOf(kind)
  })
}

function rowsOf(kind: CompiledKind): string[] {
  return [
    row(`*${kind.title}*`, kind, undefined, kind.fields),
    ...kind.sections.map(({ segment, fields }) => row(segment, kind, segment, fields)),
  ]
}

function row(where: string, kind: CompiledKind, section: string | undefined, fields: FieldSet): string {
  const names = enforcedFields(kind, section)
  const enforced = Array.from(fields, ({ name }) => name).filter((name) => names.has(name))
  return `| ${where} | ${cell(enforced)} | ${cell(unenforcedFields(kind, section, fields))} |`
}

function cell(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.join(', ')
}

/** How the line begins that names the kinds inside services that nothing enforces. */
const keptKindsBegin = 'Kinds inside services that are kept and not enforced yet: '

function keptKindsLine(): string {
  const children = compileCatalogue(catalogue).get('service')?.children ?? []
  const keptKinds = children.filter(({ name }) => !enforcedKinds.includes(name))
  return `${keptKindsBegin}${keptKinds.map(({ segments }) => `\`${segments.join('/')}\``).join(', ')}.`
}

/**
 * A document with its lines brought up to date. A line of a kind, whose title is in italics, begins the lines of that kind's sections.
 *
 * @throws Error that names the lines for which the document has no place yet
 */
export function withEnforcementRows(document: string): string {
  const rows = new Map([[keptKindsBegin, keptKindsLine()]])
  let kind = ''
  for (const line of enforcementRows()) {
    const where = whereOf(line)
    if (where.startsWith('*')) kind = where
    rows.set(`${kind} ${where}`, line)
  }
  kind = ''
  const lines = document.split('\n').map((line) => {
    const where = whereOf(line)
    if (where.startsWith('*')) kind = where
    const key = line.startsWith(keptKindsBegin) ? keptKindsBegin : `${kind} ${where}`
    const current = rows.get(key)
    rows.delete(key)
    return current ?? line
  })
  if (rows.size > 0) throw new Error(`put these lines into the tables:\n${[...rows.values()].join('\n')}`)
  return lines.join('\n')
}

/** The first cell of a line of a table; empty for other lines. */
function whereOf(line: string): string {
  return /^\| (\S.*?) \|/.exec(line)?.[1] ?? ''
}
