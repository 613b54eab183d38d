import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { Addresses } from '../rest/address.ts'
import { type Client, logIn } from '../testing/client.ts'
import { type DocumentedKind, documentedKinds } from '../testing/documented-api.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { catalogue } from './index.ts'

const documented = documentedKinds()
const compiled = compileCatalogue(catalogue)
const addresses = new Addresses(compiled)

test('the documented API has 218 kinds, 335 paths, 725 operations and 2,521 members', () => {
  const operations = documented.flatMap((kind) => kind.operations)
  assert.deepEqual(
    [
      documented.length,
      new Set(operations.map(({ path }) => path)).size,
      operations.length,
      documented.reduce((sum, { members }) => sum + members.length, 0),
    ],
    [218, 335, 725, 2521],
  )
})

onEveryStore('the documented API', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  test('is answered, operation by operation', async () => {
    const unanswered: string[] = []
    let ran = 0
    for (const { operations } of documented) {
      for (const { method, path } of operations) {
        if (path === '/logout') continue
        const address = path.slice(1).replace(/\{[^}]+\}/g, '192.0.2.77')
        const { status, json } = await client.call(
          method,
          address,
          method === 'GET' || method === 'DELETE' ? undefined : [],
        )
        const isAnswered = status !== 405 && !`${json.msg}`.startsWith('Nothing is found at this address.')
        if (!isAnswered) unanswered.push(`${method} ${path}`)
        ran++
      }
    }
    assert.equal(ran, 724, 'all but logout')
    assert.deepEqual(unanswered, [])
  })

  test('has the documented members, kind by kind', () => {
    const document = JSON.parse(JSON.stringify(served.openApiDocument()))
    const missing = documented.flatMap((kind) =>
      kind.members
        .filter((member) => !hasMember(kind, member, document))
        .map((member) => `${kind.name} ${member}`),
    )
    assert.deepEqual(missing, [])
  })
})

/** Whether the kind at the documented address has the member, or the description of the operations there. */
function hasMember({ operations }: DocumentedKind, member: string, document: OpenApi): boolean {
  return operations.some(({ path }) => {
    const target = addresses.resolve(`/restapi/v3.2${path.replace(/\{[^}]+\}/g, 'x')}`)?.target
    const fields = target?.type === 'section' ? target.section.fields : target?.kind.fields
    return fields?.find(member) !== undefined || isDescribed(path, member, document)
  })
}

interface OpenApi {
  readonly paths: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

function isDescribed(path: string, member: string, { paths, components }: OpenApi): boolean {
  const shape = (text: string) => text.replace(/\{[^}]+\}/g, '*')
  const item = Object.entries(paths).find(
    ([address]) => shape(address) === `/restapi/v3.2${shape(path)}`,
  )?.[1]
  const text = JSON.stringify(item ?? {})
  const referred = Array.from(text.matchAll(/#\/components\/schemas\/([^"]+)/g), ([, name = '']) =>
    JSON.stringify(components.schemas[name]),
  )
  return [text, ...referred].some((part) => part.includes(`"${member}"`))
}
