import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'

const getParentRoute = () => shellRoute

/** Children of {@link shellRoute}. `$` is the address of an object in the configuration, of any depth. */
export const firewallSettingsRoutes = [
  createRoute({
    getParentRoute,
    path: '/firewall/settings',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/firewall/settings/$',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/firewall/services/$service/settings',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'ServiceSettingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/firewall/policies',
    component: lazyRouteComponent(() => import('./policies-page.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/firewall/certificates',
    component: lazyRouteComponent(() => import('./certificates-page.tsx'), 'CertificatesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/firewall/checkpoints',
    component: lazyRouteComponent(() => import('./checkpoints-page.tsx'), 'CheckpointsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/firewall/rules',
    component: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
  }),
] as const
