import { Link } from '@tanstack/react-router'
import { navigationAreas } from './navigation-areas.ts'
import { maySee } from './rights.ts'
import { texts } from './texts.ts'
import { useSession } from './use-session.ts'

/** The menu, with the pages that the operator may see. */
export function Navigation() {
  const session = useSession()
  const open = navigationAreas
    .map(({ title, links }) => ({ title, links: links.filter(([to]) => maySee(session, to)) }))
    .filter(({ links }) => links.length > 0)
  return (
    <nav aria-label={texts.menu}>
      <Link to="/" activeOptions={{ exact: true }}>
        {texts.navigation.overview}
      </Link>
      {open.map(({ title, links }) => (
        <section key={title} aria-label={title}>
          <h2 className="area">{title}</h2>
          {links.map(([to, label]) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </section>
      ))}
    </nav>
  )
}
