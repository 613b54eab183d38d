import type { Kind } from '../../kinds/kind.ts'
import { hostOrAddress } from '../../kinds/patterns.ts'

const host = { type: 'string', lengthMax: 255, pattern: hostOrAddress } as const
const path = { type: 'string', lengthMax: 1024 } as const
const username = { type: 'string', lengthMax: 255 } as const
const secret = { type: 'string', lengthMax: 1024, writeOnly: true } as const

function port<const Port extends number>(usual: Port) {
  return { type: 'integer', min: 1, max: 65_535, default: usual } as const
}

/**
 * Each kind of destination has its own members, so that a change of `backup-schedule-location` is only that.
 * A backup holds secrets: encrypt it where others could read the destination.
 */
export const configurationBackup = {
  name: 'configuration-backup',
  title: 'Backups',
  description: 'When the configuration is backed up by itself, and where to.',
  path: 'backup',
  fields: {
    source: {
      type: 'choice',
      values: ['Amazon S3', 'Azure Blob', 'Cloud', 'FTP', 'FTPS', 'Local', 'SMB'],
      description: 'Where backups are looked for when one is to be restored.',
    },
    'amazon-s3-bucket-name': { type: 'string', lengthMax: 63 },
    'amazon-s3-directory-path': path,
    'azure-storage-access-key': { ...secret, sentTo: ['azure-storage-account-name'] },
    'azure-storage-account-name': { type: 'string', lengthMax: 255 },
    'azure-storage-blob-path': path,
    'azure-storage-container-name': { type: 'string', lengthMax: 63 },
    'backup-encryption-key': {
      ...secret,
      description: 'Without it, no encrypted backup can be restored.',
    },
    'backup-schedule-location': {
      type: 'choice',
      values: ['Amazon S3', 'Azure Blob', 'Cloud', 'FTP', 'FTPS', 'SMB'],
      description: 'Where scheduled backups go.',
    },
    'backups-to-keep': {
      type: 'integer',
      min: 1,
      description: 'How many backups stay at the destination; older ones are deleted.',
    },
    'cloud-password': secret,
    'cloud-username': username,
    'day-of-week': {
      type: 'choice',
      values: ['Daily', 'Friday', 'Monday', 'Off', 'Saturday', 'Sunday', 'Thursday', 'Tuesday', 'Wednesday'],
      default: 'Off',
      description: 'Off, and nothing is backed up unless somebody asks for it.',
    },
    'encrypt-backup': { type: 'yes-no' },
    'exclude-management-interface-configurations': {
      type: 'yes-no',
      description: 'Whether backups leave out how the management interface is reached.',
    },
    'ftp-address': host,
    'ftp-password': { ...secret, sentTo: ['ftp-address', 'ftp-port'] },
    'ftp-path': path,
    'ftp-port': port(21),
    'ftp-username': username,
    'ftps-address': host,
    'ftps-password': { ...secret, sentTo: ['ftps-address', 'ftps-port'] },
    'ftps-path': path,
    'ftps-port': port(21),
    'ftps-username': username,
    'hour-of-day': { type: 'integer', min: 0, max: 23 },
    'minute-of-hour': { type: 'integer', min: 0, max: 59 },
    'smb-address': host,
    'smb-password': { ...secret, sentTo: ['smb-address', 'smb-port'] },
    'smb-path': path,
    'smb-port': port(445),
    'smb-username': username,
    'use-ntlm': { type: 'yes-no', description: 'Whether to log in to the SMB server by NTLM.' },
  },
} as const satisfies Kind
