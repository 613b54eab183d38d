import type { Locator, Page } from 'playwright-core'

/** Opens the settings of an object, and a section of it. @param path of the page below /console/firewall */
export async function openSection(page: Page, path: string, section: string): Promise<Locator> {
  await page.goto(`${new URL(page.url()).origin}/console/firewall/${path}`)
  const part = page.locator(`[data-section="${section}"]`)
  await part.waitFor()
  if ((await part.getAttribute('open')) === null) await part.locator('> summary').click()
  return part
}

/** A field of a form, with its input and what is said of it. */
export function setting(form: Locator, name: string): Locator {
  return form.locator(`[data-field="${name}"]`)
}

/** Saves what was changed in a form, and waits until the service has taken it. */
export async function save(form: Locator): Promise<void> {
  await form.getByRole('button', { name: /^Save / }).click()
  await form.getByText('Saved.', { exact: true }).waitFor()
}
