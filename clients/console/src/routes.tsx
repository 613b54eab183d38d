import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Failure } from './components/failure.tsx'
import { readSession, type Session } from './session.ts'
import { Shell } from './shell.tsx'

/** What every route may use. */
export interface RouterContext {
  readonly queries: QueryClient
}

/** The parent of all routes. Shows what has failed below it. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: ({ error, reset }) => (
    <Failure error={error instanceof Error ? error : new Error(String(error))} tryAgain={reset} />
  ),
})

/** The only page without a session. `to` in its query is where the sign-in leads. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in.tsx'), 'SignInPage'),
})

/** The session of the browser; null without one. */
export const sessionQuery = {
  queryKey: ['session'],
  queryFn: async () => (await readSession()) ?? null,
  staleTime: Number.POSITIVE_INFINITY,
}

/** The parent of every page that only an operator sees. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  async beforeLoad({ context: { queries }, location }): Promise<{ session: Session }> {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
    return { session }
  },
  component: Shell,
})

/** Whatever address is no other page's, for an operator; whoever is not signed in is asked to first. */
export const noSuchPageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/$',
  component: lazyRouteComponent(() => import('./no-such-page.tsx'), 'NoSuchPage'),
})
