import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'
import { readAuditFilter } from './audit-filter.ts'

/** Children of {@link shellRoute}: the audit log and the state of the server. */
export const administrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/audit',
    validateSearch: readAuditFilter,
    component: lazyRouteComponent(() => import('./audit.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/system',
    component: lazyRouteComponent(() => import('./system.tsx'), 'SystemPage'),
  }),
]
