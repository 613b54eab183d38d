import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '../catalogue/index.ts'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { obeyedByKind } from './enforcement.ts'

const document = readFileSync(new URL('../../../../docs/firewall-enforcement.md', import.meta.url), 'utf8')
const compiled = compileCatalogue(catalogue)

/** One line of the document's tables: where, what is obeyed, what is not. */
function row(
  where: string,
  fields: FieldSet,
  obeyed: readonly string[],
  passedOver: readonly string[],
): string {
  const names = [...fields].filter(({ field }) => !field.readOnly && !field.hidden).map(({ name }) => name)
  const missing = names.filter((name) => !obeyed.includes(name) && !passedOver.includes(name))
  const cell = (all: readonly string[]) => (all.length === 0 ? '–' : all.join(', '))
  const enforced = [...fields].map(({ name }) => name).filter((name) => obeyed.includes(name))
  return `| ${where} | ${cell(enforced)} | ${cell(missing)} |`
}

function rowsOf(kind: CompiledKind): string[] {
  const obeyed = obeyedByKind[kind.name]
  assert.ok(obeyed, kind.name)
  return [
    row(`*${kind.title}*`, kind.fields, obeyed.own, obeyed.administrative),
    ...kind.sections.map(({ segment, fields }) => row(segment, fields, obeyed.sections[segment] ?? [], [])),
  ]
}

test('docs/firewall-enforcement.md has every member of what proxies read, in its column', () => {
  const kinds = Object.keys(obeyedByKind).map((name) => compiled.get(name) as CompiledKind)
  const rows = kinds.flatMap(rowsOf)
  assert.ok(rows.length > 40)
  const missing = rows.filter((line) => !document.includes(line))
  assert.deepEqual(missing, [], 'put these lines into the tables')
})

test('docs/firewall-enforcement.md names every kind inside services that no proxy obeys', () => {
  const children = (compiled.get('service') as CompiledKind).children
  const unobeyed = children.filter(({ name }) => !obeyedByKind.service?.children.includes(name))
  assert.ok(unobeyed.length > 0)
  for (const { segments } of unobeyed)
    assert.ok(document.includes(`\`${segments.join('/')}\``), segments.join('/'))
})

test('what proxies obey is what kinds have', () => {
  for (const [name, { own, sections, administrative, children }] of Object.entries(obeyedByKind)) {
    const kind = compiled.get(name) as CompiledKind
    for (const field of [...own, ...administrative]) assert.ok(kind.fields.find(field), `${name} ${field}`)
    for (const [segment, fields] of Object.entries(sections)) {
      const section = kind.sections.find((one) => one.segment === segment)
      for (const field of fields) assert.ok(section?.fields.find(field), `${name} ${segment} ${field}`)
    }
    for (const child of children)
      assert.ok(
        kind.children.some((one) => one.name === child),
        child,
      )
  }
})
