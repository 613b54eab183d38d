import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'

/** Children of {@link shellRoute}: channels and notification routes on one page. */
export const notificationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/notifications',
    component: lazyRouteComponent(() => import('./notifications.tsx'), 'NotificationsPage'),
  }),
]
