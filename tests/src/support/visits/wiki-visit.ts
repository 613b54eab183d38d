import type { Page } from 'playwright-core'
import { editor } from '../applications/php-applications.ts'

/** What somebody writes into a wiki. */
export interface Article {
  readonly name: string
  readonly text: string
  readonly summary: string
  readonly search: string
}

/** A small picture. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Logs in, writes pages with a preview, looks at their history, searches, uploads a picture, and changes the profile. */
export async function visitWiki(page: Page, origin: string, articles: readonly Article[]): Promise<void> {
  await page.goto(`${origin}/doku.php?id=start&do=login`)
  await page.fill('input[name=u]', editor.name)
  await page.fill('input[name=p]', editor.password)
  await page.click('#dw__login button[type=submit]')
  for (const article of articles) await write(page, origin, article)
  await upload(page, origin, `${articles[0]?.name}.gif`)
  await page.goto(`${origin}/doku.php?id=start&do=index`)
  await page.goto(`${origin}/doku.php?id=start&do=recent`)
  await page.goto(`${origin}/doku.php?id=start&do=profile`)
  await page.goto(`${origin}/doku.php?id=start&do=logout`)
}

async function write(page: Page, origin: string, { name, text, summary, search }: Article): Promise<void> {
  const address = `${origin}/doku.php?id=${encodeURIComponent(name)}`
  await page.goto(`${address}&do=edit`)
  await page.fill('#wiki__text', text)
  await page.fill('#edit__summary', summary)
  await page.click('#edbtn__preview')
  await page.waitForLoadState()
  // Whoever is refused gives up here and goes on with something else.
  const save = page.locator('#edbtn__save')
  if ((await save.count()) > 0) await save.click()
  await page.waitForLoadState()
  await page.goto(address)
  await page.goto(`${address}&do=revisions`)
  await page.goto(`${address}&do=backlink`)
  await page.fill('#qsearch__in', search)
  await page.press('#qsearch__in', 'Enter')
  await page.waitForLoadState()
}

async function upload(page: Page, origin: string, name: string): Promise<void> {
  await page.goto(`${origin}/doku.php?id=start&do=media&tab_files=upload`)
  const file = { name, mimeType: 'image/gif', buffer: picture }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.locator('#mediamanager__upload_button').click()
  await page.waitForLoadState('networkidle')
}
