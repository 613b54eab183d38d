import { lazy, Suspense, useEffect, useState } from 'react'
import { texts } from './texts.ts'

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))

const keys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** The way to whatever has a name: a button, and Ctrl or Cmd with K on every page. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const openByKeys = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return
      // A dialog that waits for an answer stays the only one; the browser's own search does not open beside it either.
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    document.addEventListener('keydown', openByKeys)
    return () => document.removeEventListener('keydown', openByKeys)
  }, [])
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        {texts.open} <kbd>{keys}</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
