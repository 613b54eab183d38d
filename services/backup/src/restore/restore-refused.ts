import { RequestInvalid } from '../envelope.ts'

/** The specification's texts, in the order in which they stand in `errors` ("Restore as virtual disks"). */
export const restoreMessages = {
  general: 'Could not create item.',
  destination: '[destination] is missing or invalid',
  path: '[destination][path] must be a string',
  credentials:
    '[destination][credentials][username] and [destination][credentials][password] must be set to a string',
  credentialsForLocal: '[destination][credentials] must not be specified for local paths',
  pathKind: '[destination][path] is invalid',
  diskFormat: '[diskformat] is missing or invalid; allowed values are vhd, vhdx',
  revisions: '[revisions] is missing or invalid; [revisions] must be a valid list of id integers',
  uefiNeedsVhdx: 'UEFI-based systems can only be restored as VHDX',
  largeNeedsVhdx: 'volumes greater than 2040 GB can only be restored as VHDX',
  offline: 'Agent cannot be reached or is offline',
} as const

/** What is wrong with a restore request, behind the general message. */
export function restoreRefused(errors: readonly string[]): RequestInvalid {
  return new RequestInvalid([restoreMessages.general, ...errors])
}

/** The one refusal that stands alone: there is nothing wrong with the request. */
export function agentOffline(): RequestInvalid {
  return new RequestInvalid([restoreMessages.offline])
}
