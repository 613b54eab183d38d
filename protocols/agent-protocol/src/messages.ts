import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { KeyCheck } from './enrolment.ts'
import { DiskComparison, ProofResult, ServedDisks } from './findings.ts'
import { DiskFolder, DiskFormat, HostAnswer, HostQuestion, MachineToMake, MadeMachine } from './hosts.ts'
import {
  checkedSourcesMax,
  chunkCountMax,
  chunkSizeMaxBytes,
  chunkSizeMinBytes,
  folderLengthMax,
  restoredRevisionsMax,
  restoreFoldersMax,
  sourceFaultLengthMax,
  volumesMax,
} from './limits.ts'

/** What is to be backed up: a raw image or block device, or one partition of it (counted from 1). */
export const BackupSource = Type.Object(
  { path: Type.String({ minLength: 1 }), partition: Type.Optional(Type.Integer({ minimum: 1 })) },
  { additionalProperties: false, title: 'BackupSource' },
)
export type BackupSource = Static<typeof BackupSource>

const Task = Type.Union([Type.Literal('backup'), Type.Literal('restore')])
export type Task = Static<typeof Task>

/** Where a partition is on its disk, by which several of them are put back on one. */
export const DiskPlacement = Type.Object({
  disk: Type.Object({
    /** GPT: the disk's GUID. MBR: its signature, eight hexadecimal digits. Upper case. */
    id: Type.String(),
    sizeBytes: Type.Integer({ minimum: 1 }),
    sectorSizeBytes: Type.Union([Type.Literal(512), Type.Literal(4096)]),
  }),
  /** GPT: the slot, from 1. MBR: 1 to 4, logical drives from 5 on. */
  number: Type.Integer({ minimum: 1 }),
  /** From the beginning of the disk to that of the volume. */
  offsetBytes: Type.Integer({ minimum: 0 }),
  /** GPT: the partition's own GUID. MBR: signature and number, as Linux has it. */
  uniqueId: Type.String(),
  /** GPT only. */
  name: Type.String(),
  /** GPT: the 64 attribute bits, in hexadecimal. */
  attributes: Type.String({ pattern: '^[0-9a-f]{1,16}$' }),
  /** MBR: the one that a BIOS boots. */
  isActive: Type.Boolean(),
})
export type DiskPlacement = Static<typeof DiskPlacement>

/**
 * What a disk needs beside its volumes to start again: partition tables, boot code, the gaps where boot loaders live. The
 * parts lie one behind another at the beginning of the revision and are filled up with zeros to whole chunks; the chunks
 * of the volume follow.
 */
export const DiskFrame = Type.Object({
  /** How many chunks of the revision belong to the frame. */
  chunkCount: Type.Integer({ minimum: 1, maximum: 4096 }),
  /** Where on the disk each part belongs; ascending. */
  extents: Type.Array(
    Type.Object({ offsetBytes: Type.Integer({ minimum: 0 }), sizeBytes: Type.Integer({ minimum: 1 }) }),
    { minItems: 1, maxItems: 512 },
  ),
})
export type DiskFrame = Static<typeof DiskFrame>

/** What an agent found out about the volume that it read; kept with the revision. */
export const VolumeDescription = Type.Object({
  /** Stable over the backups of one volume, in the form of a Windows volume path: `\\?\Volume{…}\`. */
  deviceId: Type.String(),
  /** "F:" on Windows, else empty. */
  driveLetter: Type.String(),
  label: Type.String(),
  /** ntfs, ext4, fat32 …; "unknown" when it is not recognised. */
  fileSystem: Type.String(),
  capacityBytes: Type.Integer({ minimum: 1 }),
  usedBytes: Type.Integer({ minimum: 0 }),
  isBoot: Type.Boolean(),
  firmware: Type.Union([Type.Literal('bios'), Type.Literal('uefi')]),
  /** The table on the disk that the volume is a part of; "none" for a bare volume. */
  partitionScheme: Type.Union([Type.Literal('gpt'), Type.Literal('mbr'), Type.Literal('none')]),
  /** GPT type GUID, or MBR type as two hexadecimal digits; empty for a bare volume. */
  partitionType: Type.String(),
  sourcePath: Type.String(),
  /**
   * Holds only what starts a system (EFI system partition, system-reserved volume); such a volume goes with the boot
   * volume of its disk. Left out by agents that do not know.
   */
  isSystem: Type.Optional(Type.Boolean()),
  /**
   * The same for all volumes of one disk, and different for different disks of the computer. A volume that is on several,
   * as on a RAID, has that of the one that it is started from.
   */
  diskId: Type.Optional(Type.String()),
  /** Whether what the file system does not use was left out; it comes back as zeros. Said of backups only. */
  unusedLeftOut: Type.Optional(Type.Boolean()),
  /**
   * What kept the volume as it was at one moment while it was read: a snapshot of a logical volume, a copy that shares
   * its blocks with an image, or nothing. Said of backups only.
   */
  snapshot: Type.Optional(Type.Union([Type.Literal('lvm'), Type.Literal('reflink'), Type.Literal('none')])),
  /** Of partitions only. Left out by agents that do not know. */
  placement: Type.Optional(DiskPlacement),
  /** Said of backups of partitions only. Without it the volume begins with the first chunk. */
  frame: Type.Optional(DiskFrame),
})
export type VolumeDescription = Static<typeof VolumeDescription>

/** One revision that a restore writes as one disk file. */
export const RevisionToRestore = Type.Object({
  revisionId: Type.Integer(),
  chunkSizeBytes: Type.Integer({ minimum: chunkSizeMinBytes, maximum: chunkSizeMaxBytes }),
  /** Those of the frame included. */
  chunkCount: Type.Integer({ minimum: 0, maximum: chunkCountMax }),
  volume: VolumeDescription,
  /** File name without folder and extension; the agent adds a number when the name is taken. */
  fileName: Type.String(),
  /** The key that its chunks are sealed with end to end; left out when the server's keys open them. */
  endToEndKeyCheck: Type.Optional(KeyCheck),
})
export type RevisionToRestore = Static<typeof RevisionToRestore>

/** A volume that a computer has now, and whether it can be backed up. */
export const DiscoveredVolume = Type.Object({
  /** What a backup of it is started with. */
  source: BackupSource,
  /** What a backup would find; `deviceId` is that of its revisions. */
  volume: VolumeDescription,
  /**
   * 0 none, 1 primary partition, 2 logical drive, 3 simple, 4 spanned, 5 striped, 6 mirror, 7 RAID 5 (reference,
   * section 2.7).
   */
  volumeKind: Type.Integer({ minimum: 0, maximum: 7 }),
  /** 0 unknown, 1 no root directory, 2 removable, 3 fixed, 4 network, 5 CD-ROM, 6 RAM (reference, section 2.7). */
  driveType: Type.Integer({ minimum: 0, maximum: 6 }),
  /**
   * 0 when it can be backed up; else why not: 1 file system, 2 removable medium, 3 size, 4 encrypted (reference,
   * section 2.7).
   */
  unsupportedReason: Type.Integer({ minimum: 0 }),
})
export type DiscoveredVolume = Static<typeof DiscoveredVolume>

/** From the server, over the link. */
export const ServerMessage = Type.Union([
  /** A question: which volumes the computer has now. Answered with `volumes` of the same id, within seconds. */
  Type.Object({ type: Type.Literal('discover-volumes'), id: Type.String() }),
  /**
   * A question: whether a backup of each of these could begin now. Answered with `sources-checked` of the same id; asked only of
   * agents that said in their `hello` that they answer it.
   */
  Type.Object({
    type: Type.Literal('check-sources'),
    id: Type.String(),
    sources: Type.Array(BackupSource, { minItems: 1, maxItems: checkedSourcesMax }),
  }),
  Type.Object({ type: Type.Literal('start-backup'), id: Type.String(), source: BackupSource }),
  Type.Object({
    type: Type.Literal('start-restore'),
    id: Type.String(),
    destination: DiskFolder,
    diskFormat: DiskFormat,
    revisions: Type.Array(RevisionToRestore, { minItems: 1, maxItems: restoredRevisionsMax }),
  }),
  /** A restore as well, whose disks become those of a machine; cancelled and acknowledged as a restore. */
  Type.Object({
    type: Type.Literal('start-machine-restore'),
    id: Type.String(),
    destination: DiskFolder,
    diskFormat: DiskFormat,
    revisions: Type.Array(RevisionToRestore, { minItems: 1, maxItems: restoredRevisionsMax }),
    machine: MachineToMake,
  }),
  /**
   * A restore as well, which writes nothing: the agent lets programs of its computer read the revisions as disks, until it is
   * cancelled or nobody reads them any more. Sent only to agents that said in their `hello` that they do it.
   */
  Type.Object({
    type: Type.Literal('serve-disks'),
    id: Type.String(),
    revisions: Type.Array(RevisionToRestore, { minItems: 1, maxItems: restoredRevisionsMax }),
  }),
  /** The volume on a disk of the computer is to be compared with a revision. Answered with `compared` of the same id. */
  Type.Object({
    type: Type.Literal('compare-disk'),
    id: Type.String(),
    path: Type.String(),
    /** Counted from 1; the one that has the size of the volume when left out. */
    partition: Type.Optional(Type.Integer({ minimum: 1 })),
    revision: RevisionToRestore,
  }),
  /** A question about hosts. Answered with `host-answer` of the same id. */
  Type.Object({ type: Type.Literal('ask-host'), id: Type.String(), question: HostQuestion }),
  Type.Object({ type: Type.Literal('cancel'), task: Task, id: Type.String() }),
  /** The outcome of a task is in the store; the agent may forget it. */
  Type.Object({ type: Type.Literal('acknowledge'), task: Task, id: Type.String() }),
])
export type ServerMessage = Static<typeof ServerMessage>

/** How a task ended. */
export const Outcome = Type.Union([
  Type.Object({
    state: Type.Literal('SUCCESS'),
    /** The new revision of a backup. */
    revisionId: Type.Optional(Type.Integer()),
    /** The finished disk files of a restore, absolute. */
    files: Type.Optional(Type.Array(Type.String())),
    /** The machine of a machine restore. */
    machine: Type.Optional(MadeMachine),
    /** Of a machine that was made to be proved, and is gone again. Each verdict is a success of the restore. */
    proof: Type.Optional(ProofResult),
  }),
  Type.Object({
    state: Type.Literal('ERROR'),
    /** A code of the specification's destination table, or one of `taskFailures`. */
    code: Type.String(),
    /** One sentence for the operator, without secrets. */
    message: Type.String(),
    /** What there is all the same, because it is whole: a machine that did not start, and its disks. */
    files: Type.Optional(Type.Array(Type.String())),
    machine: Type.Optional(MadeMachine),
  }),
  Type.Object({ state: Type.Literal('CANCELED') }),
])
export type Outcome = Static<typeof Outcome>

/** From the agent, over the link. */
export const AgentMessage = Type.Union([
  /** First after connecting. Tasks that are not named here and not finished are sent again by the server. */
  Type.Object({
    type: Type.Literal('hello'),
    agentVersion: Type.String(),
    hostName: Type.String(),
    platform: Type.String(),
    running: Type.Array(Type.Object({ task: Task, id: Type.String() })),
    /** Of the key that this agent seals chunks with end to end; left out when it has none. */
    endToEndKeyCheck: Type.Optional(KeyCheck),
    /** Folders and shares that restores may write to, by the owner of the computer; left out by agents that have no such limits. */
    restoreTo: Type.Optional(
      Type.Array(Type.String({ maxLength: folderLengthMax }), { maxItems: restoreFoldersMax }),
    ),
    /** Whether it answers `check-sources`; left out by agents that do not know the question. */
    checksSources: Type.Optional(Type.Boolean()),
    /** Whether it does `serve-disks`; left out by agents that do not know the message, or have no sockets for it. */
    servesDisks: Type.Optional(Type.Boolean()),
  }),
  Type.Object({
    type: Type.Literal('progress'),
    task: Task,
    id: Type.String(),
    /** The named step that runs now. */
    step: Type.String(),
    bytesDone: Type.Integer({ minimum: 0 }),
    bytesTotal: Type.Integer({ minimum: 0 }),
  }),
  /** The disks of a restore can be read from now on; said again when the link was lost, and when some of them cannot be read. */
  Type.Object({ type: Type.Literal('disks-served'), id: Type.String(), served: ServedDisks }),
  /** The answer to `discover-volumes`: the volumes, or one sentence that says why they cannot be told. */
  Type.Object({
    type: Type.Literal('volumes'),
    id: Type.String(),
    volumes: Type.Optional(Type.Array(DiscoveredVolume, { maxItems: volumesMax })),
    failure: Type.Optional(Type.String()),
  }),
  /** The answer to `check-sources`: for each, in the order of the question, why it cannot be backed up, or null. */
  Type.Object({
    type: Type.Literal('sources-checked'),
    id: Type.String(),
    faults: Type.Array(Type.Union([Type.String({ maxLength: sourceFaultLengthMax }), Type.Null()]), {
      maxItems: checkedSourcesMax,
    }),
  }),
  Type.Object({ type: Type.Literal('host-answer'), id: Type.String(), answer: HostAnswer }),
  /** The answer to `compare-disk`; nobody repeats it when it is lost. */
  Type.Object({ type: Type.Literal('compared'), id: Type.String(), comparison: DiskComparison }),
  /** Repeated after each reconnection until it is acknowledged. */
  Type.Object({ type: Type.Literal('finished'), task: Task, id: Type.String(), outcome: Outcome }),
])
export type AgentMessage = Static<typeof AgentMessage>

/** Each side reads the messages of the other only. */
let agentMessages: Validator<Record<never, never>, typeof AgentMessage> | undefined
let serverMessages: Validator<Record<never, never>, typeof ServerMessage> | undefined

/** Reads a message from an agent; undefined when it is not one. */
export function parseAgentMessage(text: string): AgentMessage | undefined {
  const message = parseJson(text)
  agentMessages ??= Compile(AgentMessage)
  return agentMessages.Check(message) ? message : undefined
}

/** Reads a message from the server; undefined when it is not one. */
export function parseServerMessage(text: string): ServerMessage | undefined {
  const message = parseJson(text)
  serverMessages ??= Compile(ServerMessage)
  return serverMessages.Check(message) ? message : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
