import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Examples } from '../catalogue/examples/examples.ts'
import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { KindReplies } from './kind-replies.ts'
import { inPascalCase } from './operations.ts'
import { describeKinds } from './paths.ts'

const compiled = compileCatalogue(catalogue)
const { schemas } = describeKinds(compiled, '/restapi/v3.2', new KindReplies(new Examples(compiled)))

/** What the document says of the members that an operation takes. */
function membersOf(schema: string): Record<string, Record<string, unknown>> {
  return (schemas[schema]?.properties ?? {}) as Record<string, Record<string, unknown>>
}

/** The members of which the document says that nothing obeys them. */
function keptIn(schema: string): string[] {
  return Object.entries(membersOf(schema))
    .filter(([, member]) => member['x-enforced'] === false)
    .map(([name]) => name)
}

test('the contract says of the same members as docs/firewall-enforcement.md that nothing obeys them', () => {
  const document = readFileSync(new URL('../../../../docs/firewall-enforcement.md', import.meta.url), 'utf8')
  const kinds = new Map([...compiled.values()].map((kind) => [kind.title, kind]))
  let type = ''
  let memberCount = 0
  for (const [, where = '', , kept = ''] of document.matchAll(/^\| (\S.*?) \| (.*?) \| (.*?) \|$/gm)) {
    const title = /^\*(.*)\*$/.exec(where)?.[1]
    if (title !== undefined) type = inPascalCase(kinds.get(title)?.name ?? '')
    const schema = title === undefined ? `${type}${inPascalCase(where)}Members` : `${type}Members`
    if (schemas[schema] === undefined) continue
    const names = kept === '–' ? [] : kept.split(', ')
    assert.deepEqual(keptIn(schema).sort(), names.sort(), schema)
    memberCount += names.length
  }
  assert.ok(memberCount > 100, `${memberCount} members`)
})

test('the contract says so of kinds that nothing reads, and of nothing that has no part in traffic', () => {
  assert.ok(keptIn('StaticRouteCreation').includes('gateway'))
  assert.deepEqual(keptIn('UserCreation'), [])
  assert.deepEqual(keptIn('SystemDnsMembers'), [])
})

test('the contract says what members are by default, without requiring them', () => {
  const { port, status } = membersOf('ServiceCreation')
  assert.equal(port?.['x-default'], 80)
  assert.equal(status?.['x-default'], 'On')
  assert.deepEqual(schemas.ServiceCreation?.required, ['name'])
})
