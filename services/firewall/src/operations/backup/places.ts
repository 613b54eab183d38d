import { RequestRefused } from '@palisade/platform'

/** Where backups may be, in the words of the API. */
export const places = ['Amazon S3', 'Azure Blob', 'Cloud', 'FTP', 'FTPS', 'Local', 'SMB'] as const

/**
 * Backups lie on the machines and in the database of this system only. Who asks for another place must not believe that there is one.
 *
 * @throws RequestRefused bad-request
 */
export function refuseOtherPlaces(member: string, place: string): void {
  if (place === 'Local') return
  throw new RequestRefused(
    'bad-request',
    `This system keeps backups itself: it neither writes to ${place} nor reads from there. Use Local, and copy the file.`,
    { field: member },
  )
}
