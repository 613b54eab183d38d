import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { PageHead } from './components/page-head.tsx'
import { maySee } from './rights.ts'
import { noSuchPageRoute } from './routes.tsx'
import type { Target } from './search/results.ts'
import { pageTargets } from './search/targets.ts'
import { texts as all } from './texts.ts'
import { useSession } from './use-session.ts'
import { hasWords } from './words.ts'

const texts = all.noSuchPage
/** More have to be searched for. */
const alikeMax = 4

/** In the place of a page that is not there: the pages that its address may have meant. The menu and the search stand beside it. */
export function NoSuchPage() {
  const session = useSession()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const above = useNearestPage(path)
  const pages = pageTargets(session)
  const words = path.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const offered = [
    ...(above !== undefined && maySee(session, above) ? [{ to: above, label: above }] : []),
    ...alikeOf(pages, words),
    { to: '/', label: all.navigation.overview },
  ]
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead(path)} />
      <p>{texts.meant}</p>
      <ul>
        {offered.map(({ to, label }) => (
          <li key={label}>
            <Link className="link" to={to}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <p className="quiet">{texts.search}</p>
    </>
  )
}

/** The pages of the menu that most words of an address name, by their own names or by what else people call them. */
function alikeOf(pages: readonly Target[], words: readonly string[]) {
  return pages
    .filter(({ to }) => to !== '/')
    .map(({ to, label, detail = '', otherWords = '' }) => ({
      to,
      label: detail === '' ? label : `${detail}: ${label}`,
      count: words.filter((word) => hasWords(`${label} ${otherWords}`, word)).length,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, alikeMax)
}

/** The page whose address is the longest beginning of another one; undefined where there is none but the overview. */
function useNearestPage(path: string): string | undefined {
  const router = useRouter()
  const segments = path.split('/').filter((segment) => segment !== '')
  const beginnings = segments.map((_, left) => `/${segments.slice(0, segments.length - left - 1).join('/')}`)
  return beginnings.find((beginning) => {
    if (beginning === '/') return false
    const [, , route] = router.getMatchedRoutes(beginning)
    return route !== undefined && route.fullPath !== noSuchPageRoute.fullPath
  })
}
