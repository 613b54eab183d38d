import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.tsx'
import { taskFiltersIn } from './account/task-filters.ts'

/** The account that a page of an account is about; the first one when left out. */
export interface OfAccount {
  readonly account?: string
}

const accountOf = ({ account }: Record<string, unknown>): OfAccount =>
  account === undefined ? {} : { account: String(account) }

/** What surrounds the pages of one computer. */
const computerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/backup/computers/$account/$computer',
  component: lazyRouteComponent(() => import('./computers/computer-frame.tsx'), 'ComputerFrame'),
})

const computerPages = [
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./revisions/revisions.tsx'), 'RevisionsPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/revisions/$revision',
    component: lazyRouteComponent(() => import('./revisions/revision.tsx'), 'RevisionPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/restore',
    validateSearch: ({ revision, where }: Record<string, unknown>): RestoreSearch => ({
      ...(Number.isInteger(revision) ? { revision: Number(revision) } : {}),
      ...(places.has(where) ? { where: where as RestorePlace } : {}),
    }),
    component: lazyRouteComponent(() => import('./restore/restore.tsx'), 'RestorePage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/restores/$restore',
    component: lazyRouteComponent(() => import('./restore/progress.tsx'), 'RestoreProgressPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/sets',
    component: lazyRouteComponent(() => import('./sets/sets.tsx'), 'SetsPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/sets/$set',
    component: lazyRouteComponent(() => import('./sets/set.tsx'), 'SetPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/tasks',
    validateSearch: taskFiltersIn,
    component: lazyRouteComponent(() => import('./account/tasks.tsx'), 'ComputerTasksPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/machines',
    component: lazyRouteComponent(() => import('./restore/machines.tsx'), 'MachinesPage'),
  }),
  createRoute({
    getParentRoute: () => computerRoute,
    path: '/agent',
    component: lazyRouteComponent(() => import('./computers/agent.tsx'), 'AgentPage'),
  }),
]

/** Where a restore goes. */
export type RestorePlace = 'folder' | 'share' | 'machine' | 'proof'

const places: ReadonlySet<unknown> = new Set<RestorePlace>(['folder', 'share', 'machine', 'proof'])

/** What the guide of a restore begins with. */
export interface RestoreSearch {
  readonly revision?: number
  readonly where?: RestorePlace
}

/** Children of {@link shellRoute}; all pages of one computer lie in the frame of {@link computerRoute}. */
export const backupRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/backup/computers',
    validateSearch: accountOf,
    component: lazyRouteComponent(() => import('./computers/computers.tsx'), 'ComputersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/backup/tasks',
    validateSearch: (search: Record<string, unknown>) => ({ ...accountOf(search), ...taskFiltersIn(search) }),
    component: lazyRouteComponent(() => import('./account/tasks.tsx'), 'AccountTasksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/backup/vault',
    validateSearch: accountOf,
    component: lazyRouteComponent(() => import('./account/vault.tsx'), 'VaultPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/backup/accounts',
    component: lazyRouteComponent(() => import('./account/accounts.tsx'), 'AccountsPage'),
  }),
  computerRoute.addChildren(computerPages),
]
