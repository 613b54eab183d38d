import { BackupSource } from '@palisade/agent-protocol'
import { Type } from 'typebox'
import { pathLengthMax } from '../given-source.ts'
import { SetDefinition } from '../sets/set-definition.ts'
import * as examples from './examples.ts'

const nullable = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: Schema,
) => Type.Union([schema, Type.Null()])

const when = Type.String({ format: 'date-time' })

/** The parameters of addresses below an account. */
export const AccountPath = Type.Object({ account_id: Type.String() })
/** The parameters of addresses below a computer of an account. */
export const ComputerPath = Type.Object({ account_id: Type.String(), computer_id: Type.String() })
/** The parameters of addresses of what a computer has by id: backups, restores, revisions, sets, actions, hosts. */
export const TaskPath = Type.Object({
  account_id: Type.String(),
  computer_id: Type.String(),
  id: Type.String(),
})

/** The envelope of refusals: sentences, all faults at once. */
export const Errors = Type.Object({ errors: Type.Array(Type.String()) }, { title: 'Errors' })

/** A computer as callers see it. `lastSeen` is the time of the reply while the agent is connected. */
export const ComputerView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    online: Type.Boolean({ description: 'whether the agent is connected' }),
    lastSeen: nullable(when),
    agentVersion: nullable(Type.String()),
    platform: nullable(Type.String()),
    hostName: nullable(Type.String()),
    endToEnd: Type.Boolean({
      description: 'whether its backups are sealed with a key of its own, which the server does not have',
    }),
    endToEndKeyCheck: nullable(Type.String()),
    restoreTo: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'folders and shares that the agent lets restores write to, with all that is below; null while it is not connected',
    }),
  },
  { title: 'Computer', examples: [examples.computer] },
)

const TaskError = Type.Union(
  [Type.Object({ code: Type.String(), message: Type.String() }, { title: 'TaskError' }), Type.Null()],
  {
    description:
      'why it has failed; of a backup that is RUNNING, what it waits for, such as a vault that is full',
  },
)

const taskMembers = {
  id: Type.String(),
  state: Type.Enum(['RUNNING', 'SUCCESS', 'CANCELING', 'CANCELED', 'ERROR']),
  step: Type.String({ description: 'what is being done now; the bytes are those of this step' }),
  bytesDone: Type.Integer(),
  bytesTotal: Type.Integer(),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  error: TaskError,
  started: when,
  ended: nullable(when),
}

/** A backup as callers see it. `revisionId` is null until it has made one. */
export const BackupView = Type.Object(
  {
    ...taskMembers,
    source: Type.Object({ path: Type.String(), partition: Type.Optional(Type.Integer()) }),
    revisionId: nullable(Type.Integer()),
  },
  { title: 'Backup', examples: [examples.backup] },
)

/** What a revision was of when it was made, as its owner knows it. */
const source = Type.Object(
  { path: Type.String(), partition: Type.Optional(Type.Integer()) },
  {
    description:
      'what was backed up, as the backup was asked for; of revisions of earlier versions, as the agent read it',
  },
)
const hostName = Type.Union([Type.String(), Type.Null()], {
  description: 'as the computer called itself then; null when that is not known',
})
const backupSetName = Type.Union([Type.String(), Type.Null()], {
  description: 'of the set that made it, as it was called then; null when none did, or that is not known',
})
const fileSystem = Type.String({ description: 'ntfs, ext4, fat32 …; unknown when it was not recognised' })
const partitionNumber = Type.Union([Type.Integer(), Type.Null()], {
  description: 'in the table of its disk; null when it is no partition, or the agent did not say so',
})

const RestoredMachineView = Type.Object(
  {
    id: Type.String({ description: 'the host knows the machine by it' }),
    name: Type.String(),
    hostId: Type.Integer(),
    hostName: Type.String(),
    recoveryType: Type.Enum(['TestRecovery', 'ProductionRecovery']),
    state: Type.Enum(['NONE', 'DEFINED', 'STARTED'], {
      description:
        'what there is of it now: nothing yet or nothing any more, a machine that is off, one that was started',
    }),
  },
  { title: 'RestoredMachine' },
)

const ServedDisksView = Type.Object(
  {
    socketPath: Type.String({
      description:
        'where an NBD server listens on the computer while the restore is RUNNING, for the user of its agent',
    }),
    failures: Type.Integer({ minimum: 0, description: 'how many reads have failed' }),
    lastFailure: nullable(Type.String()),
  },
  { title: 'ServedDisks' },
)

/** A restore as callers see it, of disks and of machines alike. Capacities are bytes; `driveLetter` is empty where there is none. */
export const RestoreView = Type.Object(
  {
    ...taskMembers,
    destination: Type.Object({
      path: Type.String({ description: 'empty for disks that are served and not written' }),
    }),
    diskFormat: Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx'), Type.Literal('Raw')], {
      description: 'Raw for disks that are served and not written',
    }),
    volumes: Type.Array(
      Type.Object({
        revisionId: Type.Integer(),
        deviceId: Type.String(),
        driveLetter: Type.String(),
        label: Type.String(),
        capacity: Type.Integer(),
        source,
        partitionNumber,
        fileSystem,
        hostName,
        backupSetName,
        isBoot: Type.Boolean(),
      }),
    ),
    files: Type.Array(Type.String(), { description: 'the finished disks, when the restore has succeeded' }),
    machine: Type.Union([RestoredMachineView, Type.Null()], { description: 'of restores as machines' }),
    proof: Type.Union(
      [
        Type.Object({
          state: Type.Enum(['RUNS', 'FAILS', 'UNCLEAR']),
          reason: Type.String(),
          tookMilliseconds: Type.Integer(),
        }),
        Type.Null(),
      ],
      {
        description:
          'what came of a restore with `prove`, once it has ended; each is a SUCCESS of the restore',
      },
    ),
    served: Type.Union([ServedDisksView, Type.Null()], {
      description: 'of disks that are served and not written, as soon as they can be read',
    }),
  },
  { title: 'Restore', examples: [examples.restore] },
)

/** The reply to calls that go on after it: the id of the backup, restore or action that they began. */
export const StartedView = Type.Object(
  { data: Type.Object({ id: Type.String() }) },
  { title: 'Started', examples: [examples.startReply] },
)

/** The members that the reference names (section 2.2); all replies with revisions have more beside them. */
const documentedRevision = {
  Id: Type.Integer(),
  DeviceId: Type.String(),
  DriveLetter: Type.String(),
  Label: Type.String(),
  DateTime: Type.String({ description: 'with seven fractional digits and an offset' }),
  Capacity: Type.Integer({ description: 'bytes' }),
  UsedSpace: Type.Integer({ description: 'bytes' }),
  IsBoot: Type.Boolean(),
}

/** A revision, with what only this service knows of it beside what the reference names. */
export const RevisionDetailsView = Type.Object(
  {
    ...documentedRevision,
    Source: source,
    PartitionNumber: partitionNumber,
    FileSystem: fileSystem,
    HostName: hostName,
    BackupSetName: backupSetName,
    IsSystem: Type.Boolean({ description: 'restored along with the boot volume of its disk' }),
    BackupSetId: nullable(Type.String()),
    Pinned: Type.Boolean({ description: 'neither retention nor a caller deletes it' }),
    EndToEnd: Type.Boolean({
      description: 'sealed with a key of the computer, without which nobody restores it',
    }),
    EndToEndKeyCheck: nullable(Type.String()),
    Verification: Type.Union(
      [
        Type.Object({
          State: Type.Enum(['SUCCESS', 'DAMAGED']),
          DateTime: Type.String(),
          SamplePercent: Type.Integer({ description: 'of the chunks that were read; 100 are all' }),
          Compared: Type.Enum(['Content', 'SealedBytes'], {
            description:
              'Content: chunks were opened and are what was backed up. SealedBytes: of what is sealed end to end, that the ' +
              'sealed bytes are those that the computer sent; only a restore by its agent shows more',
          }),
          Message: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'what came of the newest verification' },
    ),
    LastProvedBootable: Type.Union([Type.String(), Type.Null()], {
      description:
        'when a machine of it was last seen running; a later proof may have come to something else',
    }),
    Proof: Type.Union(
      [
        Type.Object({
          State: Type.Enum(['RUNS', 'FAILS', 'UNCLEAR'], {
            description: 'its system runs; it cannot start; or the time was over before it showed either',
          }),
          DateTime: Type.String(),
          Reason: Type.String(),
          TookMilliseconds: Type.Integer({ description: 'from the start of the machine to the verdict' }),
          HasScreenshot: Type.Boolean({ description: 'whether /proof/screenshot shows its screen' }),
          RestoreId: Type.String({ description: 'the restore that was made for it' }),
        }),
        Type.Null(),
      ],
      { description: 'what came of the newest proof that a machine of it starts' },
    ),
  },
  { title: 'RevisionDetails', examples: [examples.revisionDetails] },
)

/** What is being done, or what came of it. `status` counts the states in this order from 1. */
export const actionStates = ['CREATED', 'PENDING', 'ERROR', 'WARNING', 'SUCCESS'] as const

const actionMembers = {
  status: Type.Integer({ minimum: 1, maximum: 5, description: actionStates.join(', ') }),
  reason: Type.String({ description: 'why it failed; empty otherwise' }),
}

/** How far an action is, in the shape of the reference: a number and a reason. */
export const ActionStatusView = Type.Object(
  { data: Type.Object(actionMembers) },
  { title: 'ActionStatus', examples: [examples.actionStatus] },
)

/** An action as listings show it. */
export const ActionView = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['run-set', 'toggle-set', 'delete-set', 'verify-revision', 'compare-disk', 'prove-set']),
    state: Type.Enum(actionStates),
    ...actionMembers,
    backupSetId: nullable(Type.String()),
    created: when,
    ended: nullable(when),
  },
  { title: 'Action', examples: [examples.action] },
)

/** One action with the ids of the backups that belong to it. */
export const ActionInfoView = Type.Object(
  {
    data: Type.Object({
      ...ActionView.properties,
      backups: Type.Array(Type.String(), { description: 'the backups of a run' }),
    }),
  },
  { title: 'ActionInfo', examples: [examples.actionInfo] },
)

const setWarning = Type.Union([Type.String(), Type.Null()], {
  description:
    'what may keep it from working; it goes when the agent has said that nothing does, or a run has succeeded',
})

/** The reply to a new backup set. */
export const SetCreatedView = Type.Object(
  { data: Type.Object({ id: Type.String(), warning: setWarning }) },
  { title: 'BackupSetCreated', examples: [examples.setReply] },
)

/** A backup set as callers see it, with its last run and proof. `nextRun` is null where the schedule runs it no more,
 * `nextProof` where no proof is asked for. */
export const SetView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Literal('Disk_Image'),
    enabled: Type.Boolean({ description: 'whether its schedule counts' }),
    ...SetDefinition.properties,
    warning: setWarning,
    nextRun: nullable(when),
    nextProof: nullable(when),
    lastRun: Type.Union([ActionView, Type.Null()]),
    lastProof: Type.Union([ActionView, Type.Null()], {
      description:
        'SUCCESS: the machine runs; WARNING: it is not clear; ERROR: it does not start, or was not made',
    }),
  },
  { title: 'BackupSet', examples: [examples.set] },
)

/** A volume that the agent finds on its computer, in the numbers of the reference. */
export const DiscoveredVolumeView = Type.Object(
  {
    deviceId: Type.String(),
    driveLetter: Type.String(),
    label: Type.String(),
    capacity: Type.Integer({ description: 'bytes' }),
    usedSpace: Type.Integer({ description: 'bytes' }),
    isBoot: Type.Boolean(),
    volumeKind: Type.Integer({
      description: '1 primary partition, 2 logical drive, 3 simple, 4 spanned, 5 striped, 6 mirror, 7 RAID 5',
    }),
    driveType: Type.Integer({ description: '2 removable, 3 fixed, 4 network, 5 CD-ROM, 6 RAM' }),
    isSupported: Type.Boolean(),
    volumeUnsupportedReason: Type.Integer({
      description: '1 file system, 2 removable, 3 size, 4 encrypted, 64 in another backup set',
    }),
    source: BackupSource,
  },
  { title: 'DiscoveredVolume', examples: [examples.discoveredVolume] },
)

/** The hardware of a computer, which a machine that takes its place is to be like. */
export const HardwareView = Type.Object(
  {
    cores: Type.Integer(),
    memorySize: Type.Integer({ description: 'mebibytes' }),
    osVersion: Type.String(),
    is64Bit: Type.Boolean(),
    firmwareType: Type.Enum(['Bios', 'Uefi']),
  },
  { title: 'HardwareConfiguration', examples: [examples.hardware] },
)

const ShareCredentials = Type.Object(
  { username: Type.String(), password: Type.String() },
  { title: 'ShareCredentials' },
)

/** For the OpenAPI document; the body is read by read-restore-request.ts, which answers in the specification's words. */
export const DiskRestore = Type.Object(
  {
    destination: Type.Object({
      path: Type.String({ maxLength: pathLengthMax, description: 'a local folder or a network share' }),
      credentials: Type.Optional(ShareCredentials),
    }),
    diskFormat: Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx')]),
    revisions: Type.Array(Type.Integer(), { minItems: 1, description: 'one per volume' }),
  },
  { title: 'DiskRestore', examples: [examples.diskRestore] },
)

/** The body of `POST …/restore/diskimage/standard/nbd`. */
export const DisksToServe = Type.Object(
  {
    revisions: Type.Array(Type.Integer(), {
      minItems: 1,
      description: 'of any volumes; several of one volume are as it was at several times',
    }),
  },
  { title: 'DisksToServe', examples: [examples.disksToServe] },
)
