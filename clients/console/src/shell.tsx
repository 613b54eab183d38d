import './shell.css'
import { useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Navigation } from './navigation.tsx'
import { RecentChangesFold } from './recent-changes-fold.tsx'
import { maySee } from './rights.ts'
import { Search } from './search/search.tsx'
import { signOut } from './session.ts'
import { texts } from './texts.ts'
import { useDocumentTitle } from './use-document-title.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useSession } from './use-session.ts'

/** What surrounds every page: the ways to the others, and out. On a phone a button opens them. */
export function Shell() {
  const session = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const content = useRef<HTMLElement>(null)
  useDocumentTitle(content)
  const { toggleColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const leave = async () => {
    const logoutUrl = await signOut(session)
    queries.clear()
    if (logoutUrl === undefined) await navigate({ to: '/sign-in' })
    else location.assign(logoutUrl)
  }
  // Of the page that is shown, not of one that is still being loaded.
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '/' })
  const menu = useMenu(path)
  useKeptFocus(content, path)
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skipToContent}
      </a>
      <header className="navigation">
        <div className="navigation-bar">
          <Link to="/" className="product">
            <Mark />
            {texts.product}
          </Link>
          <Search />
          <button
            ref={menu.button}
            type="button"
            className="menu-button"
            aria-expanded={menu.isOpen}
            aria-controls="menu"
            onClick={menu.toggle}
          >
            {texts.menu}
          </button>
        </div>
        <div id="menu" className="menu" data-open={menu.isOpen}>
          <Navigation />
          <div className="own">
            <Link to="/account" className="own-account">
              {session.displayName || session.username}
              <small>{texts.navigation.account}</small>
            </Link>
            <div className="own-actions">
              <button type="button" onClick={toggleColorScheme}>
                {texts.colours}
              </button>
              <button type="button" onClick={leave}>
                {texts.signOut}
              </button>
            </div>
          </div>
        </div>
      </header>
      <main className="content" id="content" tabIndex={-1} ref={content}>
        {maySee(session, path) ? <Outlet /> : <NotToBeSeen />}
        <RecentChangesFold />
      </main>
    </div>
  )
}

/** In the place of a page that the operator may not see. */
function NotToBeSeen() {
  return (
    <>
      <h1 className="page-title">{texts.notToBeSeen.title}</h1>
      <p>
        {texts.notToBeSeen.why} <Link to="/account">{texts.notToBeSeen.ownGrants}</Link>
      </p>
    </>
  )
}

/** Whether the menu is open on a phone; it closes when a page is chosen, and by Escape. */
function useMenu(path: string) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    if (!isOpen) return
    const closeByEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('keydown', closeByEscape)
    return () => document.removeEventListener('keydown', closeByEscape)
  }, [isOpen])
  return { isOpen, button, toggle: () => setOpen(!isOpen) }
}

/** The pales of the product's mark, in the colour of the text around it. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path fill="currentColor" d="M4 30V10l4-6 4 6v20zM12.500 30V10l4-6 4 6v20zM21 30V10l4-6 4 6v20z" />
    </svg>
  )
}
