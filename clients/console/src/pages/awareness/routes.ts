import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'

/** Children of {@link shellRoute}: campaigns, and who may ask for them. */
export const awarenessRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/awareness/campaigns',
    component: lazyRouteComponent(() => import('./campaigns.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/awareness/access',
    component: lazyRouteComponent(() => import('./access.tsx'), 'AwarenessAccessPage'),
  }),
]
