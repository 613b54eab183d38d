import { type RefObject, useEffect } from 'react'
import { texts } from './texts.ts'

/** Names the document by the heading of the page that is shown, whichever page that is. */
export function useDocumentTitle(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = content.current
    if (element === null) return
    const name = () => {
      const heading = element.querySelector('h1')?.textContent
      const title = heading ? `${heading} – ${texts.product}` : texts.product
      if (document.title !== title) document.title = title
    }
    name()
    const observer = new MutationObserver(name)
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [content])
}
