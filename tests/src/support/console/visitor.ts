import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, ConsoleMessage, Page, Request } from 'playwright-core'
import { root } from '../repository/root.ts'

/** The owner whom every console under test has. */
export const owner = {
  username: 'ada',
  password: 'a long enough password',
  grants: [{ role: 'owner' }],
} as const

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } }
type Size = keyof typeof sizes

/** A page of the console under test. */
export interface ConsolePage {
  /** Names the picture. */
  readonly name: string
  /** Below /console. */
  readonly path: string
  readonly heading: string
}

/** What pages have asked for that has not come yet. */
const openRequests = new WeakMap<Page, ReadonlySet<Request>>()

/** How somebody looks at the console. */
interface VisitOptions {
  readonly size?: Size
  /** What the browser may log as an error: the status of a refusal that is part of the visit. */
  readonly allowed?: RegExp
  /** Origins beside the console's that the visit leads to. */
  readonly others?: readonly string[]
}

/** Somebody with a browser who looks at the console of a server. */
export class ConsoleVisitor {
  readonly #browser: Browser
  /** Pages of the owner that no visit uses at the moment: a new one costs the processor seconds. */
  readonly #freePages: Page[] = []
  /** Where the console is, without a path. */
  readonly address: string

  constructor(browser: Browser, address: string) {
    this.#browser = browser
    this.address = address
  }

  /**
   * Visits with a browser that nobody has used before. Fails when a page logs an error, or asks another server for anything.
   */
  async visit(see: (page: Page) => Promise<void>, options: VisitOptions = {}): Promise<void> {
    const page = await this.#newPage()
    try {
      await this.#watch(page, see, options)
    } finally {
      await page.context().close()
    }
  }

  /**
   * Visits as the owner, from the overview on, in a browser that only the owner uses, who stays signed in. Fails as `visit` does.
   */
  async visitAsOwner(see: (page: Page) => Promise<void>, options: VisitOptions = {}): Promise<void> {
    const page = this.#freePages.pop() ?? (await this.#newPage())
    try {
      await this.#watch(
        page,
        async () => {
          await page.goto(`${this.address}/console/`)
          const overview = page.getByRole('heading', { name: 'Overview' })
          await overview.or(page.getByLabel('Username')).first().waitFor()
          if (!(await overview.isVisible())) await signIn(page, owner.password)
          await overview.waitFor()
          await see(page)
        },
        options,
      )
      // Nothing of this visit goes on during the next one.
      await page.goto('about:blank')
      this.#freePages.push(page)
    } catch (error) {
      await page.context().close()
      throw error
    }
  }

  async #newPage(): Promise<Page> {
    const context = await this.#browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    const requests = new Set<Request>()
    openRequests.set(page, requests)
    const onEnd = (request: Request) => requests.delete(request)
    page.on('request', (request) => requests.add(request))
    page.on('requestfinished', onEnd).on('requestfailed', onEnd)
    return page
  }

  /** Has somebody look at a page, and fails when that logs an error, or asks another server for anything. */
  async #watch(
    page: Page,
    see: (page: Page) => Promise<void>,
    { size = 'desktop', allowed = /status of 401/, others = [] }: VisitOptions,
  ): Promise<void> {
    const problems: string[] = []
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() !== 'error' || allowed.test(message.text())) return
      problems.push(`${message.text()} ${message.location().url}`)
    }
    const onError = (error: Error) => problems.push(String(error))
    const onRequest = (request: Request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol !== 'blob:' && ![this.address, ...others].includes(origin))
        problems.push(`a request to ${request.url()}`)
    }
    await page.setViewportSize(sizes[size])
    await page.emulateMedia({ colorScheme: 'light' })
    page.on('console', onConsole).on('pageerror', onError).on('request', onRequest)
    try {
      await see(page)
      assert.deepEqual(problems, [])
    } finally {
      page.off('console', onConsole).off('pageerror', onError).off('request', onRequest)
    }
  }

  /**
   * Looks at pages on a desktop and on a phone, in light and in dark: nothing that axe finds, nothing wider than the screen.
   */
  async lookAt(pages: readonly ConsolePage[]): Promise<void> {
    let shown = 0
    await this.visitAsOwner(async (page) => {
      for (const { name, path, heading } of pages) {
        await page.setViewportSize(sizes.desktop)
        await page.goto(`${this.address}/console${path}`)
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
        for (const size of ['desktop', 'phone'] as const) {
          await page.setViewportSize(sizes[size])
          await expectReadable(page, `${name}-${size}-light`)
          await page.emulateMedia({ colorScheme: 'dark' })
          await page.locator('[data-mantine-color-scheme=dark]').first().waitFor()
          // Only its colours are others.
          await expectReadable(page, `${name}-${size}-dark`, ['color-contrast'])
          await page.emulateMedia({ colorScheme: 'light' })
          await page.locator('[data-mantine-color-scheme=light]').first().waitFor()
          shown += 2
        }
      }
    })
    assert.equal(shown, pages.length * 4)
  }
}

/** Fills the form of the sign-in and sends it. @param username the owner's when left out */
export async function signIn(page: Page, password: string, username: string = owner.username): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * Waits until a page has loaded and stands still, and fails when axe finds something or it is wider than the screen.
 *
 * @param rules of axe; all when left out
 */
export async function expectReadable(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  do await page.evaluate(untilStill)
  while ((openRequests.get(page)?.size ?? 0) > 0 || (await page.getByLabel('Loading').count()) > 0)
  await takePicture(page, name)
  assert.deepEqual(await axeFindings(page, rules), [], name)
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.equal(overflow, 0, `${name} is wider than the screen`)
}

/** Runs in a page: gives it two frames to draw what it has got, and waits until colours have faded and dialogs have opened. */
const untilStill = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  await frame()
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
})()`

/** Keeps a picture of a page in `tests/pictures` for whoever asks for it by PICTURES=1; each costs the processor some tenths of a second. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== '1') return
  const folder = join(root, 'tests', 'pictures')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** What axe finds on a page, a line each. */
async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
  // Its half a megabyte costs more to load than to run.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; null`)
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}
