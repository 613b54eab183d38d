import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '@palisade/platform'
import { TestService } from './testing/backup-service.ts'

interface Operation {
  readonly operationId?: string
  readonly responses: Readonly<Record<string, { headers?: object; content?: object }>>
}

test('the OpenAPI document names every operation, and says nothing of the agents', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-store-'))
  const store = openStore('embedded', directory)
  const service = await TestService.start(store)
  t.after(async () => {
    await service.close()
    await store.close()
    rmSync(directory, { recursive: true })
  })
  const { paths } = service.served.openApiDocument() as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const expected = [
    ...['browseRevisions', 'browseVolumes', 'cancelBackup', 'cancelRestore', 'compareDiskWithRevision'],
    ...['createBackupSet', 'createHostSession', 'deleteBackupSet', 'deleteRevision'],
    ...['discoverVolumes', 'forgetEndToEndKey', 'forgetHost', 'getActionStatus'],
    ...['getBackup', 'getBackupSet', 'getBackupSetAction', 'getComputer'],
    ...['getHardwareConfiguration', 'getHostCapabilities', 'getHostSession', 'getHostSettings'],
    ...[
      'getProofScreenshot',
      'getRestore',
      'getRevision',
      'getVaultUsage',
      'listAccountHistory',
      'listBackupSets',
    ],
    ...['listBackups', 'listComputerHistory', 'listComputers', 'listHosts'],
    ...[
      'listRestores',
      'listRevisions',
      'pinRevision',
      'previewRetention',
      'registerLocalHost',
      'registerRemoteHost',
    ],
    ...[
      'removeMachine',
      'replaceBackupSet',
      'requestAccessToken',
      'restoreAsDisks',
      'restoreAsMachine',
      'revokeCredential',
    ],
    ...['runBackupSet', 'serveDisks', 'startBackup', 'toggleBackupSet', 'unpinRevision', 'validateAgent'],
    ...['validateHostCapabilities', 'validateHostPermissions', 'validateHostServer', 'validateNetwork'],
    ...['validatePath', 'validateSourceMachine', 'verifyRevision'],
  ]
  assert.deepEqual(operations.flatMap(({ operationId }) => operationId ?? []).sort(), expected)
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.includes('/agent/v1')),
    [],
  )
  const computer = '/v2/accounts/{account_id}/computers/{computer_id}'
  const restore = paths[`${computer}/restore/diskimage/standard/vhd`]?.post
  assert.deepEqual(Object.keys(restore?.responses['204']?.headers ?? {}), ['X-Restore-Id', 'Location'])
  assert.equal(restore?.responses['204']?.content, undefined)
})
