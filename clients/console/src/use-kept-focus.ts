import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus of the keyboard in the content: it goes there when another page is shown. When what had it is gone, such as a button
 * that has done its work, it goes to what was around that, so that nobody begins at the top again.
 *
 * @param content which can have the focus itself
 * @param path of the page that is shown
 */
export function useKeptFocus(content: RefObject<HTMLElement | null>, path: string): void {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    const element = content.current
    if (!element?.contains(document.activeElement)) element?.focus({ preventScroll: true })
  }, [content, path])
  useEffect(() => {
    const element = content.current
    if (element === null) return
    /** What had the focus last, and all that was around it, outwards. */
    let around: readonly HTMLElement[] = []
    const remember = ({ target }: FocusEvent) => {
      around = outwards(target, element)
    }
    const observer = new MutationObserver(() => {
      if (around[0]?.isConnected !== false || document.activeElement !== document.body) return
      const nearest = around.find(({ isConnected }) => isConnected) ?? element
      if (!nearest.hasAttribute('tabindex')) nearest.tabIndex = -1
      nearest.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', remember)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [content])
}

function outwards(innermost: EventTarget | null, outermost: HTMLElement): HTMLElement[] {
  const elements: HTMLElement[] = []
  for (let at = innermost; at instanceof HTMLElement; at = at.parentElement) {
    elements.push(at)
    if (at === outermost) break
  }
  return elements
}
