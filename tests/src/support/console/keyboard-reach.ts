/**
 * Whether the keyboard reaches all that a mouse does. One script in the page computes it from what the page holds; on some pages keys
 * are pressed until they have been everywhere, which shows that the computation agrees with the browser.
 */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Runs in a page before anything of it: keeps which elements have listeners of the mouse that React does not know. */
const watchListeners = `(() => {
  const mouse = /^(click|dblclick|contextmenu|mousedown|mouseup|pointerdown|pointerup|dragstart)$/
  const elements = window.mouseListeners = new Set()
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (type, ...others) {
    if (this instanceof Element && mouse.test(type)) elements.add(this)
    return add.call(this, type, ...others)
  }
})()`

/** Makes the pages of a browser tell what {@link expectReachable} asks. */
export async function watchMouseListeners(page: Page): Promise<void> {
  await page.addInitScript(watchListeners)
}

/** Defines in a page what the scripts below use. */
const definitions = `
  const mouseProps = ['onClick', 'onDoubleClick', 'onContextMenu', 'onMouseDown', 'onMouseUp', 'onPointerDown', 'onPointerUp', 'onDragStart']
  const keyProps = ['onKeyDown', 'onKeyUp', 'onKeyPress']
  const native = 'a[href], area[href], button, input, select, textarea, summary, label, option'
  const roles = ['button', 'link', 'tab', 'checkbox', 'switch', 'radio', 'slider', 'menuitem', 'option', 'treeitem']
  const groups = '[role=tablist], [role=toolbar], [role=menu], [role=menubar], [role=listbox], [role=tree]'
  const propsOf = (element) => element[Object.keys(element).find((key) => key.startsWith('__reactProps$'))] ?? {}
  const hasOne = (element, names) => names.some((name) => typeof propsOf(element)[name] === 'function')
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]')
  const isEnabled = (element) => !element.matches(':disabled') && element.getAttribute('aria-disabled') !== 'true'
  const shownIn = (scope) => [...scope.querySelectorAll('*')].filter((element) => isShown(element) && isEnabled(element))
  // The root listens for everything that React handles.
  const listens = (element) => window.mouseListeners.has(element) && !Object.keys(element).some((key) => key.startsWith('__reactContainer$'))
  // Of these, keys do the same elsewhere: in what a label names, and by arrows in a number beside its steps.
  const isElsewhere = (element) => (element.matches('label') && element.control !== null) ||
    (element.matches('.mantine-NumberInput-control[aria-hidden=true]') && element.closest('.mantine-NumberInput-wrapper').querySelector('input') !== null)
  const forMouse = (element) => getComputedStyle(element).pointerEvents !== 'none' && !isElsewhere(element) && (
    (element.matches(native) && !element.matches('input[type=hidden], label, option')) ||
    roles.includes(element.getAttribute('role')) || element.isContentEditable ||
    element.matches('[onclick]') || hasOne(element, mouseProps) || listens(element))
  // Of radio buttons with one name one takes the focus, and arrows lead to the others.
  const isOtherRadio = (element) => {
    if (!element.matches('input[type=radio]') || element.name === '' || element.checked) return false
    const all = [...document.querySelectorAll('input[type=radio]')].filter(
      ({ name, form, disabled }) => name === element.name && form === element.form && !disabled)
    return all.some(({ checked }) => checked) || all[0] !== element
  }
  const isStop = (element) => element.tabIndex >= 0 && !element.matches('input[type=hidden]') &&
    (element.matches(native + ', [tabindex], iframe') || element.isContentEditable) && !element.matches('label, option') && !isOtherRadio(element)
  const nameOf = (element) => element.cloneNode().outerHTML.slice(0, 160) + ' ' + (element.textContent ?? '').slice(0, 40);
`

/** What {@link expectReachable} finds out of a part of a page. */
interface Reach {
  /** Sentences. */
  readonly problems: readonly string[]
  /** How many elements take the focus by Tab. */
  readonly stopCount: number
}

/** Defines in a page how something looks, with the parts of its field, which may show its focus in its place. */
export const lookOf = `(element) => [element, element.parentElement, element.nextElementSibling, element.previousElementSibling]
  .filter((one) => one !== null && one.getClientRects().length > 0 && getComputedStyle(one).opacity !== '0')
  .map((one) => {
    const { outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow } = getComputedStyle(one)
    return [outlineStyle === 'none' ? '' : outlineWidth + outlineColor, borderColor, boxShadow].join()
  })
  .join(' ')`

/** Runs in a page. Colours do not fade meanwhile, so that the focus is seen at once. One of all elements with the same classes stands for all. */
const reachOf = (scope: string) => `(() => {
  ${definitions}
  const lookOf = ${lookOf}
  const shown = shownIn(document.querySelector(${JSON.stringify(scope)}))
  const stops = new Set(shown.filter(isStop))
  const problems = []
  for (const element of shown.filter(forMouse)) {
    const group = element.closest(groups)
    const isInGroup = group !== null && [...stops].some((stop) => group.contains(stop))
    if (!stops.has(element) && !isOtherRadio(element) && !isInGroup) problems.push('Tab does not reach ' + nameOf(element))
    else if (!element.matches(native) && !hasOne(element, keyProps)) problems.push('No key does what the mouse does with ' + nameOf(element))
  }
  const still = new CSSStyleSheet()
  still.replaceSync('*, *::before, *::after { transition: none !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still]
  const active = document.activeElement
  const looked = new Set()
  for (const stop of stops) {
    const kind = [stop.tagName, stop.type, stop.className, stop.parentElement.className].join()
    if (looked.has(kind)) continue
    looked.add(kind)
    stop.blur()
    const without = lookOf(stop)
    stop.focus({ preventScroll: true, focusVisible: true })
    if (document.activeElement !== stop) problems.push('The focus does not stay on ' + nameOf(stop))
    else if (lookOf(stop) === without) problems.push('The focus is not seen on ' + nameOf(stop))
    stop.blur()
  }
  active?.focus?.({ preventScroll: true })
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== still)
  return { problems, stopCount: stops.size }
})()`

/**
 * Fails when something that a mouse can use cannot be used by keys, or the focus on something is not seen.
 *
 * @param scope the part of the page, as a selector
 */
export async function expectReachable(page: Page, name: string, scope: string): Promise<void> {
  const { problems, stopCount } = await page.evaluate<Reach>(reachOf(scope))
  assert.deepEqual(problems, [], name)
  assert.ok(stopCount > 0, `${name} has nothing that Tab reaches`)
}

/** Runs in a page: keeps what has had the focus from now on. */
const watchFocus = `(() => {
  document.activeElement?.blur?.()
  window.focused = new Set()
  document.addEventListener('focusin', ({ target }) => window.focused.add(target))
})()`

/** Runs in a page: what should have had the focus and has not, and the reverse. A part that scrolls takes it without being told to. */
const differences = (stops: string) => `(() => {
  ${definitions}
  const due = new Set(${stops})
  const scrolls = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth || scrollHeight > clientHeight
  return [
    ...[...due].filter((one) => !window.focused.has(one)).map((one) => 'not reached: ' + nameOf(one)),
    ...[...window.focused].filter((one) => !due.has(one) && !scrolls(one)).map((one) => 'reached: ' + nameOf(one)),
  ]
})()`

const allStops = 'shownIn(document.body).filter(isStop)'
const membersOf = (index: number) => `shownIn(document.querySelectorAll(groups)[${index}]).filter(forMouse)`

/** Presses Tab until it has been everywhere, and arrows in whatever is one stop of Tab. Fails when that is elsewhere than `expectReachable` computes. */
export async function expectKeysToAgree(page: Page, name: string): Promise<void> {
  const count = (elements: string) =>
    page.evaluate<number>(`(() => { ${definitions} return ${elements}.length })()`)
  const stopCount = await count(allStops)
  await page.evaluate(watchFocus)
  // The browser itself takes one, and parts that scroll take some.
  for (let press = 0; press < stopCount + 10; press++) await page.keyboard.press('Tab')
  assert.deepEqual(await page.evaluate<string[]>(differences(allStops)), [], name)
  const groupCount = await count('document.querySelectorAll(groups)')
  for (let group = 0; group < groupCount; group++) {
    const members = membersOf(group)
    const memberCount = await count(members)
    if (memberCount === 0) continue
    await page.evaluate(`(() => { ${definitions} ${watchFocus}; ${members}.find(isStop).focus() })()`)
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      for (let press = 0; press < memberCount; press++) await page.keyboard.press(key)
    }
    assert.deepEqual(await page.evaluate<string[]>(differences(members)), [], `${name}: arrows`)
  }
}
