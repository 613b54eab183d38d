import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { administrationRoutes } from './pages/administration/routes.ts'
import { awarenessRoutes } from './pages/awareness/routes.ts'
import { backupRoutes } from './pages/backup/routes.ts'
import { emailRoutes } from './pages/email/routes.ts'
import { firewallRoutes } from './pages/firewall/routes.ts'
import { firewallSettingsRoutes } from './pages/firewall-settings/routes.ts'
import { notificationRoutes } from './pages/notifications/routes.ts'
import { operatorRoutes } from './pages/operators/routes.ts'
import { overviewRoutes } from './pages/overview/routes.ts'
import { noSuchPageRoute, rootRoute, shellRoute, signInRoute } from './routes.tsx'

const pages = [
  ...overviewRoutes,
  ...operatorRoutes,
  ...notificationRoutes,
  ...administrationRoutes,
  ...firewallRoutes,
  ...firewallSettingsRoutes,
  ...backupRoutes,
  ...emailRoutes,
  ...awarenessRoutes,
  noSuchPageRoute,
]

/** The pages of the console. Each is loaded when it is first shown. */
export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: rootRoute.addChildren([signInRoute, shellRoute.addChildren(pages)]),
    basepath: '/console',
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
