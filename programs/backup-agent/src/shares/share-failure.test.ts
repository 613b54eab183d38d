import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complaintsIn, decisiveOf, shareFailure } from './share-failure.ts'

const unc = '\\\\server\\share'

/** What is made of what the client printed. */
function codeOf(output: string, hasCredentials = true): string {
  const complaint = decisiveOf(complaintsIn(output))
  return complaint === undefined ? 'none' : shareFailure(complaint, unc, hasCredentials).code
}

test('each complaint of the client has its code in the specification', () => {
  const outputs = {
    '': 'none',
    'putting file - as \\x (1.0 kb/s) (average 1.0 kb/s)\n': 'none',
    'do_connect: Connection to server failed (Error NT_STATUS_UNSUCCESSFUL)': 'NetworkShareInaccessible',
    'do_connect: Connection to server failed (Error NT_STATUS_ACCESS_DENIED)': 'NetworkShareInaccessible',
    'protocol negotiation failed: NT_STATUS_IO_TIMEOUT': 'NetworkShareInaccessible',
    'session setup failed: NT_STATUS_LOGON_FAILURE': 'NetworkShareInvalidAuth',
    'session setup failed: NT_STATUS_PASSWORD_EXPIRED': 'NetworkShareInvalidAuth',
    'session setup failed: NT_STATUS_ACCESS_DENIED': 'NetworkShareInvalidAuth',
    'session setup failed: NT_STATUS_NO_LOGON_SERVERS': 'NetworkShareInaccessible',
    'session setup failed: NT_STATUS_CONNECTION_RESET': 'NetworkShareInaccessible',
    'tree connect failed: NT_STATUS_BAD_NETWORK_NAME': 'NetworkPathNotFound',
    'tree connect failed: NT_STATUS_ACCESS_DENIED': 'NetworkShareNoWritePermissions',
    'cd \\a\\b\\: NT_STATUS_OBJECT_PATH_NOT_FOUND': 'NetworkPathNotFound',
    'NT_STATUS_ACCESS_DENIED making remote directory \\a': 'NetworkShareNoWritePermissions',
    'NT_STATUS_MEDIA_WRITE_PROTECTED opening remote file \\x': 'NetworkShareNoWritePermissions',
    'cli_push returned NT_STATUS_CONNECTION_RESET': 'NetworkShareInaccessible',
    'cli_push returned NT_STATUS_INVALID_PARAMETER\nNT_STATUS_CONNECTION_DISCONNECTED closing remote file \\x':
      'NetworkShareInaccessible',
    'NT_STATUS_SOMETHING_NEW opening remote file \\x': 'CreateFolderFailed',
    'NT_STATUS_INVALID_PARAMETER opening remote file \\x': 'CreateFolderFailed',
  }
  for (const [output, code] of Object.entries(outputs)) {
    assert.equal(codeOf(output).replace('BackupSetActions_', ''), code, output)
  }
  const full = 'cli_push returned NT_STATUS_DISK_FULL\nNT_STATUS_CONNECTION_DISCONNECTED closing remote file'
  assert.equal(codeOf(full), 'NotEnoughSpace')
})

test('a share that lets nobody in without credentials asks for them', () => {
  const output = 'tree connect failed: NT_STATUS_ACCESS_DENIED'
  assert.equal(codeOf(output, false), 'BackupSetActions_NetworkShareInvalidAuth')
})
