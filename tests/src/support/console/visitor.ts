import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, ConsoleMessage, Page, Request } from 'playwright-core'
import { root } from '../repository/root.ts'
import { expectKeysToAgree, expectReachable, watchMouseListeners } from './keyboard-reach.ts'
import { owner } from './owner.ts'
import { createApiToken, expectSameCall } from './same-call.ts'

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } }
type Size = keyof typeof sizes

/** A page of the console under test. */
export interface ConsolePage {
  /** Names the picture. */
  readonly name: string
  /** Of the console's router, below /console: `/operators/$operator`. */
  readonly route: string
  /** What stands in the address in the place of the route's parameters; of `$` alone by the name `_splat`. */
  readonly at?: Readonly<Record<string, string>>
  /** The query of the address, with its `?`. */
  readonly search?: string
  readonly heading: string
  /** Whether keys are pressed until they have been everywhere, which costs seconds. */
  readonly pressKeys?: true
}

/** Pages that read nothing of their own, so that no command and no call shows the same. */
const withoutCall = ['/sign-in', '/firewall/protect', '/$']

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
  /** Of the owner. */
  #apiToken: string | undefined
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
      await page.unrouteAll({ behavior: 'wait' })
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
    await watchMouseListeners(page)
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
   * Looks at pages on a desktop and on a phone, in light and in dark, and at each dialog that their buttons open: nothing that axe
   * finds, nothing wider than the screen, nothing that a mouse alone reaches, and the call that gives the same gives it.
   *
   * @param isOwner whether the owner looks, or somebody who is not signed in
   */
  async lookAt(pages: readonly ConsolePage[], isOwner = true): Promise<void> {
    let shown = 0
    const look = async (page: Page) => {
      for (const one of pages) {
        await page.setViewportSize(sizes.desktop)
        await page.goto(this.address + addressOf(one))
        await page.getByRole('heading', { name: one.heading, level: 1 }).waitFor()
        // A route that takes whatever is below it takes nothing, too.
        assert.ok([one.route, `${one.route}/$`].includes(await page.evaluate(routeShown)), one.name)
        await expectReadable(page, `${one.name}-desktop-light`)
        await expectReachable(page, `${one.name}-desktop-light`, 'body')
        if (one.pressKeys) await expectKeysToAgree(page, one.name)
        await expectReadableInDark(page, `${one.name}-desktop-dark`)
        await page.setViewportSize(sizes.phone)
        await expectReadable(page, `${one.name}-phone-light`)
        await expectReachable(page, `${one.name}-phone-light`, 'body')
        await expectReadableDialogs(page, one.name)
        if (!withoutCall.includes(one.route)) {
          this.#apiToken ??= await createApiToken(page)
          await expectSameCall(page, this.#apiToken)
        }
        shown++
      }
    }
    await (isOwner ? this.visitAsOwner(look) : this.visit(look))
    assert.equal(shown, pages.length)
  }
}

/** The address of a page. */
function addressOf({ route, at = {}, search = '' }: ConsolePage): string {
  const path = route.replace(/\$(\w*)/g, (_, name: string) => {
    const value = at[name || '_splat']
    assert.ok(value, `${route} lacks ${name || '_splat'}`)
    return name === '' ? value : encodeURIComponent(value)
  })
  return `/console${path}${search}`
}

/** Runs in a page: the route of the console's router that it shows, without a slash at the end. */
const routeShown = `__TSR_ROUTER__.state.matches.at(-1).fullPath.replace(/(?<=.)\\/$/, '')`

/**
 * Opens the dialogs that buttons of a page open, one for all buttons with the same words, and fails when axe finds something in one or
 * it is wider than the screen.
 */
async function expectReadableDialogs(page: Page, name: string): Promise<void> {
  const buttons = page
    .getByRole('main')
    .locator('button[aria-haspopup=dialog]:enabled')
    .filter({ visible: true })
  // Those that look like links are the same for each row of a table.
  const words = await buttons.evaluateAll((all) =>
    all.map((one) => (one.className === 'link' ? '' : one.textContent)),
  )
  for (const [index, word] of words.entries()) {
    if (words.indexOf(word) !== index) continue
    await buttons.nth(index).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const dialogName = `${name}-dialog-${index + 1}`
    await expectReadable(page, dialogName, undefined, 'dialog')
    await expectReachable(page, dialogName, 'dialog')
    await expectReadableInDark(page, `${dialogName}-dark`, 'dialog')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
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
 * @param scope the part of the page that axe looks at, as a selector; all of it when left out
 */
export async function expectReadable(
  page: Page,
  name: string,
  rules?: readonly string[],
  scope = 'html',
): Promise<void> {
  await waitUntilLoaded(page, name)
  await takePicture(page, name)
  assert.deepEqual(await axeFindings(page, rules, scope), [], name)
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.equal(overflow, 0, `${name} is wider than the screen`)
}

/** Looks at the contrast of a page in dark, where only its colours are others, and makes it light again. @param scope as of `expectReadable` */
async function expectReadableInDark(page: Page, name: string, scope?: string): Promise<void> {
  await useColorScheme(page, 'dark')
  await expectReadable(page, name, ['color-contrast'], scope)
  await useColorScheme(page, 'light')
}

async function useColorScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).first().waitFor()
}

/** Waits until a page has all that it has asked for, and nothing on it moves. Fails with what it waits for after a minute. */
async function waitUntilLoaded(page: Page, name: string): Promise<void> {
  const endAt = Date.now() + 60_000
  const loading = page.getByLabel('Loading')
  for (;;) {
    const moving = await page.evaluate<string[]>(untilStill)
    const open = Array.from(openRequests.get(page) ?? [], (request) => `${request.method()} ${request.url()}`)
    const loadingCount = await loading.count()
    if (moving.length + open.length + loadingCount === 0) return
    const waitsFor = [...moving, ...open, ...(loadingCount > 0 ? [`${loadingCount} marked as loading`] : [])]
    assert.ok(Date.now() < endAt, `${name} is not still after a minute: ${waitsFor.join(', ')}`)
  }
}

/** Runs in a page: gives it two frames to draw what it has got, and waits a second at most until colours have faded and dialogs have opened. Returns what still moves. */
const untilStill = `(async () => {
  const atMost = (ms, promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))])
  const frame = () => new Promise(requestAnimationFrame)
  await atMost(1000, frame().then(frame))
  const ending = () => document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  await atMost(1000, Promise.allSettled(ending().map(({ finished }) => finished)))
  return ending().map(({ effect }) => 'an animation of ' + effect.target?.className)
})()`

/** Keeps a picture of a page in `tests/pictures` for whoever asks for it by PICTURES=1; each costs the processor some tenths of a second. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== '1') return
  const folder = join(root, 'tests', 'pictures')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** What axe finds on a page, a line each. */
async function axeFindings(
  page: Page,
  rules: readonly string[] | undefined,
  scope: string,
): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
  // Its half a megabyte costs more to load than to run.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; null`)
  return page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify(scope)}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}
