import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '../catalogue/index.ts'
import { enforcedKinds } from '../features/enforced-fields.ts'
import { fieldReaders } from '../features/field-readers.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { enforcementRows, withEnforcementRows } from './enforcement-table.ts'

const document = readFileSync(new URL('../../../../docs/firewall-enforcement.md', import.meta.url), 'utf8')
const compiled = compileCatalogue(catalogue)

test('docs/firewall-enforcement.md has every member of what proxies read, in its column', () => {
  assert.ok(enforcementRows().length > 70)
  assert.equal(document, withEnforcementRows(document), 'run npm run contract')
})

test('docs/firewall-enforcement.md names every kind inside services that nothing enforces', () => {
  const children = compiled.get('service')?.children ?? []
  const unenforced = children.filter(({ name }) => !enforcedKinds.includes(name))
  assert.ok(unenforced.length > 0 && unenforced.length < children.length)
  for (const { segments } of unenforced)
    assert.ok(document.includes(`\`${segments.join('/')}\``), segments.join('/'))
})

test('what is read is what kinds have', () => {
  let fieldCount = 0
  for (const { kinds, section, fields } of fieldReaders) {
    for (const name of kinds) {
      const kind = compiled.get(name)
      const part = section === undefined ? kind : kind?.sections.find(({ segment }) => segment === section)
      for (const field of fields.keys()) {
        assert.ok(part?.fields.find(field), `${name} ${section} ${field}`)
        fieldCount++
      }
    }
  }
  assert.ok(fieldCount > 400, `${fieldCount}`)
})
