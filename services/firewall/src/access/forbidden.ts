import { RequestRefused } from '@palisade/platform'
import type { Access } from './permissions.ts'

/** @param what continues "Your role does not allow you to read this: …" */
export function forbidden(what: string, access: Access): RequestRefused {
  const action = access === 'read' ? 'read' : 'change'
  return new RequestRefused('forbidden', `Your role does not allow you to ${action} this: ${what}.`)
}
