import { offlineMessage } from '../agents/agent-links.ts'
import { RequestInvalid } from '../envelope.ts'

/** The specification's texts about a folder for disks, in their order. The field is `destination`, or `disklocation`. */
export function folderMessages(field: string) {
  return {
    missing: `[${field}] is missing or invalid`,
    path: `[${field}][path] must be a string`,
    credentials: `[${field}][credentials][username] and [${field}][credentials][password] must be set to a string`,
    credentialsForLocal: `[${field}][credentials] must not be specified for local paths`,
    pathKind: `[${field}][path] is invalid`,
  } as const
}

/** The specification's other texts, in the order in which they stand in `errors` ("Restore as virtual disks"). */
export const restoreMessages = {
  general: 'Could not create item.',
  diskFormat: '[diskformat] is missing or invalid; allowed values are vhd, vhdx',
  revisions: '[revisions] is missing or invalid; [revisions] must be a valid list of id integers',
  unknownRevision: (id: number) =>
    `[revisions] is missing or invalid: ${id} is not a revision of this computer`,
  uefiNeedsVhdx: 'UEFI-based systems can only be restored as VHDX',
  largeNeedsVhdx: 'volumes greater than 2040 GB can only be restored as VHDX',
  offline: offlineMessage,
  servesNoDisks:
    'the agent of this computer cannot serve disks: it is of an earlier version, or runs on Windows',
} as const

/** What is wrong with a restore request, behind the general message. */
export function restoreRefused(errors: readonly string[]): RequestInvalid {
  return new RequestInvalid([restoreMessages.general, ...errors])
}
