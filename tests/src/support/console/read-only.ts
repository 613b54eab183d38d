import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** How what changes something begins; longer words may begin so. */
const changes =
  /^(Accept|Add|Back up|Block|Change|Check|Create|Delete|Discard|Get|Keep|Make|Obtain|Pin|Protect|Remove|Rename|Replace|Restore \d|Roll|Run|Save|Send|Set |Show what|Shut|Start|Stop|Take|Upload|Use|Verify|Watch|New secret|End)\b/

/** Fails when a page has anything for who may only read it that would be refused: a button, a link to a change, or a field of a setting. */
export async function expectNothingToChange(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const offered = main.locator('button:enabled, a').filter({ hasText: changes })
  assert.deepEqual(await offered.allTextContents(), [], page.url())
  const fields = main.locator('[data-field] :is(input, select, textarea):enabled')
  assert.equal(await fields.count(), 0, `${page.url()} has fields that take something`)
}
