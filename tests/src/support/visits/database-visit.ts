import type { Page } from 'playwright-core'

/** What somebody does with a database in a browser. */
export interface DatabaseWork {
  readonly database: string
  /** The first makes the table `table`, with columns `name` and `note`. */
  readonly commands: readonly string[]
  readonly table: string
  readonly rows: readonly { readonly name: string; readonly note: string }[]
}

/** Opens a database, types commands, fills in rows, looks for them, and exports everything. */
export async function visitDatabase(
  page: Page,
  origin: string,
  { database, commands, table, rows }: DatabaseWork,
): Promise<void> {
  await page.goto(`${origin}/?sqlite=`)
  await page.fill('input[name="auth[db]"]', database)
  await page.click('input[type=submit]')
  await page.waitForLoadState()
  const place = `${origin}/?sqlite=&username=&db=${encodeURIComponent(database)}`
  for (const command of commands) {
    await page.goto(`${place}&sql=`)
    await page.locator('textarea[name=query]').evaluate((field, text) => {
      ;(field as unknown as { value: string }).value = text
      const highlighted = (field as unknown as { previousSibling?: { textContent: string | null } | null })
        .previousSibling
      if (highlighted) highlighted.textContent = text
    }, command)
    await page.locator('input[type=submit][value=Execute]').click()
    await page.waitForLoadState()
  }
  for (const { name, note } of rows) {
    await page.goto(`${place}&edit=${table}`)
    await page.fill('[name="fields[name]"]', name)
    await page.fill('[name="fields[note]"]', note)
    await page.locator('input[type=submit][value=Save]').click()
    await page.waitForLoadState()
    const search = new URLSearchParams({
      'where[0][col]': 'note',
      'where[0][op]': 'LIKE %%',
      'where[0][val]': name,
    })
    await page.goto(`${place}&select=${table}&${search}`)
  }
  await page.goto(`${place}&table=${table}`)
  await page.goto(`${place}&dump=`)
}
