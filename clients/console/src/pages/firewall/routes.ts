import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'
import { filtersIn } from './log-filters.ts'
import { rangeIn } from './ranges.ts'

/** Children of {@link shellRoute}: services with their charts, and the log. */
export const firewallRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/firewall/services',
    component: lazyRouteComponent(() => import('./services.tsx'), 'ServicesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/firewall/services/$service',
    validateSearch: rangeIn,
    component: lazyRouteComponent(() => import('./service.tsx'), 'ServicePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/firewall/log',
    validateSearch: filtersIn,
    component: lazyRouteComponent(() => import('./log.tsx'), 'LogPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/firewall/requests/$request',
    component: lazyRouteComponent(() => import('./request.tsx'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/firewall/protect',
    validateSearch: ({ service }: Readonly<Record<string, unknown>>): { readonly service?: string } =>
      typeof service === 'string' ? { service } : {},
    component: lazyRouteComponent(() => import('./protect.tsx'), 'ProtectPage'),
  }),
]
