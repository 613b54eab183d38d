import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'

/** Children of {@link shellRoute}: accounts with their domains, and the programs that call. */
export const emailRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/email/accounts',
    component: lazyRouteComponent(() => import('./accounts.tsx'), 'EmailAccountsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/email/api-clients',
    component: lazyRouteComponent(() => import('./api-clients.tsx'), 'EmailClientsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/email/accounts/$account',
    component: lazyRouteComponent(() => import('./account.tsx'), 'EmailAccountPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/email/accounts/$account/$domain',
    component: lazyRouteComponent(() => import('./domain.tsx'), 'EmailDomainPage'),
  }),
]
