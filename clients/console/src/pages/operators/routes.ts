import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'

/** Children of {@link shellRoute}: all operators, one, and the account of whoever is signed in. */
export const operatorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/operators',
    component: lazyRouteComponent(() => import('./operators.tsx'), 'OperatorsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/operators/$operator',
    component: lazyRouteComponent(() => import('./operator.tsx'), 'OperatorPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./account.tsx'), 'AccountPage'),
  }),
]
