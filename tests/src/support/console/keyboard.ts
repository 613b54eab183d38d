import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { lookOf } from './keyboard-reach.ts'

/** More steps than any page under test has. */
const stepsMax = 120

/** Goes on by Tab until something has the focus, which then has to be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let step = 0; step < stepsMax; step++) {
    await page.keyboard.press('Tab')
    if (await hasFocus(target)) {
      assert.ok(await showsFocus(page), `the focus of ${target} is not seen`)
      return
    }
  }
  throw new Error(`${target} is not reached by Tab`)
}

/** Whether something has the focus of the keyboard. */
export async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0
}

/** Whether the focus is in the content of the page, rather than lost. */
export async function isInContent(page: Page): Promise<boolean> {
  return page.evaluate('document.querySelector("main").contains(document.activeElement)')
}

/** Whether what has the focus looks otherwise than without it, some time after which colours have faded. */
function showsFocus(page: Page): Promise<boolean> {
  return page.evaluate(`(async () => {
    const element = document.activeElement
    const look = () => (${lookOf})(element)
    const frame = () => new Promise(requestAnimationFrame)
    const faded = async () => {
      await frame()
      await frame()
      const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      await Promise.allSettled(ending.map(({ finished }) => finished))
    }
    await faded()
    const focused = look()
    element.blur()
    await faded()
    const without = look()
    element.focus()
    return focused !== without
  })()`)
}
