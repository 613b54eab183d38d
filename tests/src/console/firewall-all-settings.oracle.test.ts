import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { ConsoleVisitor } from '../support/console/visitor.ts'
import { createExamples, firewallOperations } from '../support/firewall/contract-examples.ts'
import { Management } from '../support/firewall/proxy.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'
import { root } from '../support/repository/root.ts'

/** What a form has to show: the fields that the contract's body of an operation has. */
interface Expected {
  /** Of the object, after the version, with the names of the contract's examples. */
  readonly path: string
  /** Empty for the object's own fields. */
  readonly section: string
  readonly fields: readonly string[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: Body }>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, object>> }>>
  }
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
}

const contract: Document = JSON.parse(
  readFileSync(join(root, 'clients/contract/openapi/firewall.json'), 'utf8'),
)

/** The fields of the body of each operation, by the operation's id. */
const fieldsOfBodies = new Map(
  Object.values(contract.paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (method === 'parameters') return []
      const { operationId = '', requestBody } = operation as { operationId?: string; requestBody?: Body }
      const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
      return [[operationId, Object.keys(contract.components.schemas[name]?.properties ?? {})] as const]
    }),
  ),
)

const operations = firewallOperations()

/** The forms of objects: what changes them, and where they are only created, what creates them. */
const forms: Expected[] = operations.flatMap(({ id, method, path, summary }) => {
  const fields = fieldsOfBodies.get(id) ?? []
  if (method !== 'PUT') return []
  const [, title] = /^Change "(.*)" of a /.exec(summary) ?? []
  if (title === undefined) return /^Change a /.test(summary) ? [{ path, section: '', fields }] : []
  const object = operations
    .filter((one) => path.startsWith(`${one.path}/`) && /^(Read one|Change a|Delete a) /.test(one.summary))
    .toSorted((one, other) => other.path.length - one.path.length)[0]?.path
  assert.ok(object, `${path} belongs to no object`)
  return [{ path: object, section: decodeURIComponent(path.slice(object.length + 1)), fields }]
})

const creations: Expected[] = operations
  .filter(({ summary }) => /^Create a [a-z0-9-]+\.$/.test(summary))
  // To create the only object of a kind means to change it.
  .filter(({ path }) => !forms.some((form) => form.path === path))
  .map(({ id, path }) => ({ path, section: '', fields: fieldsOfBodies.get(id) ?? [] }))

describe('forms of all settings of the firewall', () => {
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    const server = await Server.start(newFolder(), { ...provisioned, administration: { operators: [owner] } })
    const { kinds, refusals } = await createExamples(await Management.connect(server))
    assert.ok(kinds > 80, `${kinds} kinds`)
    assert.deepEqual(refusals, [])
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
  })

  /** Goes to the page of an address as a link in the console does, and waits until it says that it shows that address. */
  const goTo = async (page: Page, path: string) => {
    const segments = path
      .split('/')
      .map((segment) => encodeURIComponent(decodeURIComponent(segment).replace(/[%/]/g, encodeURIComponent)))
    const address = `/console/firewall/settings/${segments.join('/')}`
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
    const call = page.locator('code').filter({ hasText: `/restapi/v3.2/${path}` })
    await call.first().waitFor({ state: 'attached' })
    await page.locator('h1').waitFor({ state: 'attached' })
  }

  const shownFields = (page: Page, within: string): Promise<string[]> =>
    page
      .locator(`${within} [data-field]`)
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('data-field') ?? ''))

  test('each object and each section of it shows every field of the contract', async (t) => {
    const byObject = Map.groupBy(forms, ({ path }) => path)
    let fieldCount = 0
    await visitor.visitAsOwner(async (page) => {
      for (const [path, parts] of byObject) {
        await goTo(page, path)
        await page.locator('[data-section]').first().waitFor({ state: 'attached' })
        const all = page.getByRole('button', { name: 'Open all' })
        // What a pointer would do waits for pictures of the page that nobody looks at.
        if ((await all.count()) > 0) await all.dispatchEvent('click')
        for (const { section, fields } of parts) {
          const part = `[data-section="${section}"]`
          await page.locator(`${part} [data-field]`).first().waitFor({ state: 'attached' })
          const shown = await shownFields(page, part)
          assert.deepEqual(
            fields.filter((field) => !shown.includes(field)),
            [],
            `${path} ${section}`,
          )
          fieldCount += fields.length
        }
      }
    })
    t.diagnostic(`${byObject.size} objects, ${forms.length} forms, ${fieldCount} fields`)
    assert.ok(byObject.size > 80, `${byObject.size} objects`)
    assert.ok(forms.length > 160, `${forms.length} forms`)
    assert.ok(fieldCount > 1200, `${fieldCount} fields`)
  })

  test('each list asks of a new object for every field of the contract', async (t) => {
    let fieldCount = 0
    await visitor.visitAsOwner(async (page) => {
      for (const { path, fields } of creations) {
        await goTo(page, path)
        await page.getByRole('button', { name: /^Create a / }).dispatchEvent('click')
        await page.locator('form [data-field]').first().waitFor({ state: 'attached' })
        const shown = await shownFields(page, 'form')
        assert.deepEqual(shown.toSorted(), fields.toSorted(), path)
        fieldCount += fields.length
      }
    })
    t.diagnostic(`${creations.length} kinds, ${fieldCount} fields`)
    assert.ok(creations.length > 80 && fieldCount > 700, `${creations.length} kinds, ${fieldCount} fields`)
  })
})
