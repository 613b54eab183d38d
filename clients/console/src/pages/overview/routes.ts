import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'

/** Children of {@link shellRoute}: where a sign-in leads. */
export const overviewRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./overview.tsx'), 'OverviewPage'),
  }),
]
