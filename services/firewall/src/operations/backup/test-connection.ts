import { RequestRefused } from '@palisade/platform'
import { refuseProblems } from '../../changes/plan.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import type { Fields } from '../../kinds/kind.ts'
import { hostOrAddress, type Pattern } from '../../kinds/patterns.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf } from '../../rest/write.ts'
import { answer, type OperationBody, readOperationBody, textOf } from '../body.ts'
import { describedBody, describedMessage } from '../described.ts'
import { mayConnectTo } from './allowed-addresses.ts'
import type { BackupDependencies } from './backup-dependencies.ts'
import { type ConnectionTarget, testConnection } from './connection-test.ts'

const title = 'Test Connection'

const sources = ['Amazon S3', 'Azure Blob', 'Cloud', 'FTP', 'FTPS', 'SMB'] as const

const bucketName: Pattern = {
  expression: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  meaning: 'that is the name of a bucket: lower-case letters, digits, "." and "-"',
}

const accountName: Pattern = {
  expression: /^[a-z0-9]{3,24}$/,
  meaning: 'that is the name of a storage account: lower-case letters and digits',
}

function serverFields(prefix: string): Fields {
  return {
    [`${prefix}-address`]: { type: 'string', lengthMax: 255, pattern: hostOrAddress },
    [`${prefix}-port`]: { type: 'integer', min: 1, max: 65_535 },
    [`${prefix}-username`]: { type: 'string', lengthMax: 255 },
    [`${prefix}-password`]: { type: 'string', lengthMax: 1024, writeOnly: true },
    [`${prefix}-path`]: { type: 'string', lengthMax: 1024 },
  }
}

const fields = new FieldSet(
  {
    source: { type: 'choice', values: sources, required: true },
    ...serverFields('ftp'),
    ...serverFields('ftps'),
    ...serverFields('smb'),
    'use-ntlm': { type: 'yes-no' },
    'amazon-s3-bucket-name': { type: 'string', pattern: bucketName },
    'amazon-s3-directory-path': { type: 'string', lengthMax: 1024 },
    'azure-storage-account-name': { type: 'string', pattern: accountName },
    'azure-storage-access-key': { type: 'string', lengthMax: 1024, writeOnly: true },
    'azure-storage-container-name': { type: 'string', lengthMax: 63 },
    'azure-storage-blob-path': { type: 'string', lengthMax: 1024 },
    'cloud-username': { type: 'string', lengthMax: 255 },
    'cloud-password': { type: 'string', lengthMax: 1024, writeOnly: true },
  },
  'test-connection',
)

/** `PUT backup/test-connection`: whether a server can be reached, with the settings for what is left out. */
export function testConnectionOperation({ settings, guard }: BackupDependencies): SpecialOperation {
  return {
    method: 'PUT',
    path: 'backup/test-connection',
    mayBeDone: (permissions) => permissions.mayPerform('backup'),
    description: {
      operationId: 'testBackupConnection',
      summary: 'Find out whether a server can be reached',
      tags: ['Backups'],
      requestBody: describedBody(title, fields),
      responses: describedMessage('The server was reached.'),
    },
    handle: async (call) => {
      const options = readOperationBody(bodyOf(call.request), fields, title)
      const target = targetOf({ ...settings(), ...options }, options)
      const forbidden = guard()
      const mayBeReached = (address: string) =>
        mayConnectTo(address) && !forbidden.forbids(address, target.port)
      const { isReached, message } = await testConnection(target, mayBeReached)
      if (isReached) return answer(call, { msg: message })
      throw new RequestRefused('bad-request', message)
    },
  }
}

/**
 * What is to be connected to.
 *
 * @param all the members of the body over those of the settings
 * @param settings the members of the body: a configured password is sent to the configured server only
 */
function targetOf(all: OperationBody, settings: OperationBody): ConnectionTarget {
  switch (all.source) {
    case 'FTP':
      return { ...serverOf(all, settings, 'ftp', 21), protocol: 'ftp' }
    case 'FTPS':
      return { ...serverOf(all, settings, 'ftps', 21), protocol: 'ftps' }
    case 'SMB': {
      const { host, port } = serverOf(all, settings, 'smb', 445)
      return { host, port, protocol: 'tcp' }
    }
    case 'Amazon S3': {
      const bucket = required(all, 'amazon-s3-bucket-name')
      return { host: `${bucket}.s3.amazonaws.com`, port: 443, protocol: 'tls' }
    }
    case 'Azure Blob': {
      const account = required(all, 'azure-storage-account-name')
      return { host: `${account}.blob.core.windows.net`, port: 443, protocol: 'tls' }
    }
    default:
      throw new RequestRefused('bad-request', 'There is no cloud service that this system belongs to.', {
        field: 'source',
      })
  }
}

function serverOf(all: OperationBody, settings: OperationBody, prefix: string, usualPort: number) {
  const names = { address: `${prefix}-address`, port: `${prefix}-port`, password: `${prefix}-password` }
  const isElsewhere = settings[names.address] !== undefined || settings[names.port] !== undefined
  const password = textOf((isElsewhere ? settings : all)[names.password])
  return {
    host: required(all, names.address),
    port: Number(all[names.port] ?? usualPort),
    username: textOf(all[`${prefix}-username`]),
    password,
  }
}

function required(values: OperationBody, member: string): string {
  const text = textOf(values[member])
  const sentence = `The member ${member} is required: it is not in the backup settings either.`
  refuseProblems(text === '' ? [{ member, sentence }] : [])
  return text
}
