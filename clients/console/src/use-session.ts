import { getRouteApi } from '@tanstack/react-router'
import type { Session } from './session.ts'

const shell = getRouteApi('/shell')

/** The session of the operator who looks at a page. */
export function useSession(): Session {
  return shell.useRouteContext().session
}
