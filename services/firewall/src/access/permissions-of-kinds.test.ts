import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openStore, type Store } from '@palisade/platform'
import { memoryDirectory, type ServedService } from '@palisade/platform/testing'
import { Examples } from '../catalogue/examples/examples.ts'
import { catalogue } from '../catalogue/index.ts'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import type { Operation } from '../kinds/kind.ts'
import { methodsAt, type Target } from '../rest/address.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import {
  everywhere,
  type LimitedAdministrator,
  limitedAdministrator,
} from '../testing/limited-administrator.ts'
import { StandingExamples } from '../testing/standing-examples.ts'

const compiled = compileCatalogue(catalogue)
const examples = new Examples(compiled)
const kinds = examples.byNeed(compiled.values())

/** One thing that can be done at an address of a kind. */
interface OperationAtAddress {
  readonly method: string
  readonly operation: Operation
  readonly address: string
}

// On one store: what is decided here never reaches the store, and the kinds are many.
describe('a role', () => {
  const directory = memoryDirectory('palisade-roles-')
  let store: Store
  let served: ServedService
  let admin: Client
  let limited: LimitedAdministrator
  let standing: StandingExamples
  before(async () => {
    store = openStore('embedded', directory)
    served = await serveFirewall({ store })
    admin = await logIn(served.baseUrl)
    limited = await limitedAdministrator(served.baseUrl, admin)
    standing = new StandingExamples(examples, admin)
  })
  after(async () => {
    await standing.clear()
    await served.close()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('with one kind among its objects reads it, or changes it, and without it does neither', async () => {
    const ran = { kinds: 0, sections: 0, operations: 0 }
    for (const kind of kinds) {
      await standing.withExample(kind, () => isAllowedByKind(kind))
      ran.kinds++
      ran.sections += kind.sections.length
      ran.operations += operationsOf(kind).length
    }
    assert.equal(ran.kinds, catalogue.length)
    const sections = catalogue.map(({ sections = {} }) => Object.keys(sections).length)
    assert.equal(
      ran.sections,
      sections.reduce((sum, count) => sum + count),
    )
    assert.ok(ran.kinds > 100 && ran.sections > 80 && ran.operations > 600, JSON.stringify(ran))
  })

  test('with one section among its objects reaches the section and nothing beside it', async () => {
    let ran = 0
    for (const kind of kinds.filter(({ sections }) => sections.length > 0)) {
      await standing.withExample(kind, async () => {
        for (const { segment } of kind.sections) {
          await isAllowedBySection(kind, segment)
          ran++
        }
      })
    }
    assert.equal(ran, kinds.flatMap(({ sections }) => sections).length)
  })

  test('with a kind inside others among its objects does not reach those around it', async () => {
    let ran = 0
    for (const kind of kinds.filter(({ lineage }) => lineage.length > 1)) {
      await standing.standFor(kind)
      await limited.allow({ objects: [`${nameOf(kind)}:write`], ...everywhere })
      const { collection } = examples.addressOf(kind)
      if (kind.operations.has('list')) assert.equal((await limited.get(collection)).status, 200, collection)
      for (const around of kind.lineage.slice(0, -1)) {
        for (const { method, address } of operationsOf(around)) {
          assert.equal((await attempt({ method, address })).status, 403, `${method} ${address}`)
        }
      }
      ran++
    }
    assert.ok(ran > 40)
  })

  /** With a body that changes nothing, where there is one. */
  function attempt({ method, address }: Pick<OperationAtAddress, 'method' | 'address'>) {
    return limited.call(method, address, method === 'GET' ? undefined : {})
  }

  /** Everything that may be done with the kind's example, and what becomes of it by the role's entry. */
  async function isAllowedByKind(kind: CompiledKind): Promise<void> {
    const operations = operationsOf(kind)
    const other = kind.name === 'report' ? 'bonds' : 'reports'
    await limited.allow({ objects: [`${other}:write`], ...everywhere })
    for (const { method, address } of operations) {
      const { status, json } = await attempt({ method, address })
      assert.equal(status, 403, `without ${nameOf(kind)}: ${method} ${address}`)
      assert.equal(json.error.type, 'forbidden')
    }
    await limited.allow({ objects: [`${nameOf(kind)}:read`], ...everywhere })
    for (const { method, address, operation } of operations) {
      const expected = isReading(operation) ? 200 : 403
      const { status } = await attempt({ method, address })
      assert.equal(status, expected, `with ${nameOf(kind)}:read: ${method} ${address}`)
    }
    await limited.allow({ objects: [`${nameOf(kind)}:write`, '_ALL_:read'], ...everywhere })
    for (const { method, address, operation } of operations) {
      if (operation === 'create' || operation === 'delete') continue
      const { status, text } = await attempt({ method, address })
      assert.equal(status, 200, `with ${nameOf(kind)}:write: ${method} ${address}: ${text}`)
    }
    await livesByRole(kind)
  }

  async function livesByRole(kind: CompiledKind): Promise<void> {
    const { create } = examples.of(kind)
    if (!create || !kind.operations.has('create') || !kind.operations.has('delete')) return
    const { collection, item } = examples.addressOf(kind)
    const deleted = await limited.call('DELETE', item)
    assert.equal(deleted.status, 200, `DELETE ${item}: ${deleted.text}`)
    const created = await limited.call('POST', collection, create)
    assert.equal(created.status, 201, `POST ${collection}: ${created.text}`)
  }

  async function isAllowedBySection(kind: CompiledKind, segment: string): Promise<void> {
    const { item } = examples.addressOf(kind)
    const own = `${item}/${segment}`
    for (const access of ['read', 'write']) {
      await limited.allow({ objects: [`${kind.segments.at(-1)}/${segment}:${access}`], ...everywhere })
      for (const { method, operation, address } of operationsOf(kind)) {
        const isReached = address === own && (isReading(operation) || access === 'write')
        const expected = isReached ? [200, 201] : [403]
        const { status, text } = await attempt({ method, address })
        assert.ok(expected.includes(status), `${access} ${segment}: ${method} ${address}: ${status} ${text}`)
      }
    }
  }
})

/** Every method of every address of the kind's example. */
function operationsOf(kind: CompiledKind): OperationAtAddress[] {
  const { collection, item } = examples.addressOf(kind)
  const path = item.split('/').map(decodeURIComponent)
  const targets: [address: string, target: Target][] = [
    [item, { type: 'object', kind, path }],
    ...kind.sections.map((section): [string, Target] => [
      `${item}/${section.segment}`,
      { type: 'section', kind, path, section },
    ]),
  ]
  if (kind.identifiedBy !== undefined) {
    targets.unshift([collection, { type: 'collection', kind, parentPath: path.slice(0, -1) }])
  }
  return targets.flatMap(([address, target]) =>
    Array.from(methodsAt(target), ([method, operation]) => ({ method, operation, address })),
  )
}

/** How a role names the kind. */
function nameOf({ segments }: CompiledKind): string {
  return segments.at(-1) ?? ''
}

function isReading(operation: Operation): boolean {
  return operation === 'list' || operation === 'read'
}
