/*
 * What the OpenAPI document shows by way of example, of one computer with one volume. A test holds each against its schema.
 */

const deviceId = '\\\\?\\Volume{6f8d1c5e-6f55-4f0a-9d3b-3a0c1d2e4f50}\\'
const keptBytes = 1_073_741_824

/** Of `Computer`, while its agent is connected. */
export const computer = {
  id: 'web-01',
  name: 'Web server',
  online: true,
  lastSeen: '2030-01-08T10:15:00.000Z',
  agentVersion: '0.1.0',
  platform: 'linux',
  hostName: 'web-01.example.org',
  endToEnd: false,
  endToEndKeyCheck: null,
  restoreTo: ['/var/lib/palisade-agent/restores', '/srv/restored'],
}

const backupId = '6a3f0e5c-1f3b-4c57-8a94-0f6f3f1f7c11'
const restoreId = '0d9d3c7e-52a7-4d0b-9a43-5a1c9b0d8e22'

const task = {
  state: 'SUCCESS',
  step: 'done',
  bytesDone: keptBytes,
  bytesTotal: keptBytes,
  percent: 100,
  error: null,
  started: '2030-01-08T10:00:00.000Z',
  ended: '2030-01-08T10:04:30.000Z',
}

/** Of a backup and what comes of it: the first partition of a disk. */
export const source = { path: '/dev/vda', partition: 1 }

/** Of `Backup`, one that has ended and made revision 17. */
export const backup = { id: backupId, ...task, source, revisionId: 17 }

/** Of `Restore`, one as virtual disks that has ended. */
export const restore = {
  id: restoreId,
  ...task,
  destination: { path: '/srv/restored' },
  diskFormat: 'Vhdx',
  volumes: [
    {
      revisionId: 17,
      deviceId,
      driveLetter: '',
      label: 'root',
      capacity: keptBytes,
      source,
      partitionNumber: 1,
      fileSystem: 'ext4',
      hostName: 'web-01.example.org',
      backupSetName: 'every night',
      isBoot: true,
    },
  ],
  files: ['/srv/restored/root.vhdx'],
  machine: null,
  proof: null,
  served: null,
}

/** Of `Started`. */
export const startReply = { data: { id: backupId } }

const revision = {
  Id: 17,
  DeviceId: deviceId,
  DriveLetter: '',
  Label: 'root',
  DateTime: '2030-01-08T10:04:30.0000000+00:00',
  Capacity: keptBytes,
  UsedSpace: 402_653_184,
  IsBoot: true,
}

/** Of `RevisionDetails`, of a revision that was verified and never proved. */
export const revisionDetails = {
  ...revision,
  Source: source,
  PartitionNumber: 1,
  FileSystem: 'ext4',
  HostName: 'web-01.example.org',
  BackupSetName: 'Every night',
  IsSystem: false,
  BackupSetId: '3',
  Pinned: false,
  EndToEnd: false,
  EndToEndKeyCheck: null,
  Verification: {
    State: 'SUCCESS',
    DateTime: '2030-01-08T10:05:10.0000000+00:00',
    SamplePercent: 100,
    Compared: 'Content',
    Message: '',
  },
  LastProvedBootable: null,
  Proof: null,
}

/** Of `Action`, a run of a set that has ended. */
export const action = {
  id: '41',
  kind: 'run-set',
  state: 'SUCCESS',
  status: 5,
  reason: '',
  backupSetId: '3',
  created: '2030-01-08T10:00:00.000Z',
  ended: '2030-01-08T10:05:10.000Z',
}

/** Of `ActionStatus`. */
export const actionStatus = { data: { status: action.status, reason: action.reason } }

/** Of `ActionInfo`. */
export const actionInfo = { data: { ...action, backups: [backupId] } }

const selection = ['%All%']
const schedule = [{ type: 'daily', hour: 23, minute: 0 }]
const settings = { retention: { keepLast: 7, keepWeekly: 4 }, verification: { everyDays: 30 } }

/** Of `BackupSetCreated`. */
export const setReply = { data: { id: '3', warning: null } }

/** Of `BackupSet`, whose last run is the action above. */
export const set = {
  id: '3',
  name: 'every night',
  type: 'Disk_Image',
  enabled: true,
  selection,
  exclusions: [],
  useDynamicVolumeInclusion: true,
  timeZone: 'UTC',
  schedule,
  settings,
  warning: null,
  nextRun: '2030-01-08T23:00:00.000Z',
  nextProof: null,
  lastRun: action,
  lastProof: null,
}

/** Of `DiscoveredVolume`, the volume that the backup is of. */
export const discoveredVolume = {
  deviceId,
  driveLetter: '',
  label: 'root',
  capacity: keptBytes,
  usedSpace: revision.UsedSpace,
  isBoot: true,
  volumeKind: 1,
  driveType: 3,
  isSupported: true,
  volumeUnsupportedReason: 0,
  source,
}

/** Of `HardwareConfiguration`. */
export const hardware = {
  cores: 2,
  memorySize: 4096,
  osVersion: 'Debian GNU/Linux 13 (trixie)',
  is64Bit: true,
  firmwareType: 'Uefi',
}

/** Of a page of the history, with the backup above. */
export const history = {
  page: 1,
  page_size: 10,
  count: 1,
  links: [
    { rel: 'first', href: '/backup/v1/accounts/acme/action_history?page=1' },
    { rel: 'last', href: '/backup/v1/accounts/acme/action_history?page=1' },
  ],
  list: [
    {
      action_id: backupId,
      username: 'acme',
      computer_id: computer.id,
      type: 'BACKUP',
      backupset_name: 'every night',
      plugin: 'IMAGE',
      status: 'SUCCESS',
      local_start: task.started,
      local_end: task.ended,
      total_files: 1,
      processed_files: 1,
      bytes: keptBytes,
      condition_status: 'COMPLETED',
      condition_types: ['COMPLETED'],
      errors: 0,
      warnings: 0,
    },
  ],
}

const sessionId = '5b0b7c7e-8d1f-4a55-9b7a-0a2f4c6d8e33'

/** Of `HostSession`. */
export const hostSession = {
  sessionId,
  state: 'Active',
  created: '2030-01-08T10:00:00.000Z',
  expires: '2030-01-08T11:00:00.000Z',
}

/** Of `Host`, one that can be restored to. */
export const host = {
  identifier: { id: 1 },
  hostName: 'host-01.example.org',
  hostUnsupported: false,
  hostUnsupportedReason: 0,
  hostUnsupportedMessage: '',
}

/** Of `HostCapabilities`. */
export const hostCapabilities = {
  supportsVmGenerations: true,
  supportsVmDynamicMemory: false,
  supportsVhdxFormat: true,
}

/** Of `HostSettings`. */
export const hostSettings = {
  virtualDisksPath: '/var/lib/libvirt/images',
  memoryAllocation: { default: 2048, minimum: 128, maximum: 32_768, increment: 1 },
  processorAllocation: { default: 2, minimum: 1, maximum: 16, increment: 1 },
  virtualSwitches: [{ id: 'default', name: 'default' }],
}

const revisions = [revision.Id]
const diskLocation = { path: '/srv/machines' }
const size = { cores: 2, memory: 4096 }

/** Of `SessionWish`. */
export const sessionWish = { sessionId }
/** Of `HostWish`. */
export const hostWish = { id: host.identifier.id, sessionId }
/** Of `RemoteHost`, with an account of that host. */
export const remoteHost = {
  sessionId,
  hostName: host.hostName,
  authenticationMode: 'Credentials',
  credentials: { userName: 'administrator', password: 'example-password' },
}
/** Of `DiskRestore`. */
export const diskRestore = { destination: restore.destination, diskFormat: restore.diskFormat, revisions }
/** Of `DisksToServe`. */
export const disksToServe = { revisions }
/** Of `MachineRestore`, the least that is to be said. */
export const machineRestore = {
  sessionId,
  hostId: host.identifier.id,
  recoveryType: 'TestRecovery',
  diskLocation,
  diskFormat: 'Vhdx',
  firmwareType: 'Uefi',
  hostProperties: { name: 'web-01 restored', ...size },
  revisions,
}

/** What each validation is sent. */
export const validations = {
  path: { diskLocation },
  agent: { diskLocation },
  network: { diskFormat: 'Vhdx', diskLocation },
  sourceMachine: { firmwareType: 'Uefi', revisions },
  capabilities: { hostId: host.identifier.id, sessionId, firmwareType: 'Uefi', revisions },
  permissions: { hostId: host.identifier.id, diskLocation },
  server: { sessionId, hostId: host.identifier.id, hostProperties: size },
}
