import {
  BackupSource,
  DiskFormat,
  MachineToMake,
  type MadeMachine,
  type MessageOrigin,
  type ProofResult,
  RevisionToRestore,
  type ServedDisks,
} from '@palisade/agent-protocol'
import { type Static, Type } from 'typebox'
import { RevisionOrigin } from '../revision-origin.ts'
import type { TaskState } from '../tables.ts'

/** What a backup was asked to do. */
export const BackupRequest = Type.Object({ source: BackupSource })
export type BackupRequest = Static<typeof BackupRequest>

/** The machine that a restore is to make, as the agent is told of it but for credentials, and what people call it. */
export const MachineRequest = Type.Object({
  hostId: Type.Integer(),
  hostName: Type.String(),
  recoveryType: Type.Union([Type.Literal('TestRecovery'), Type.Literal('ProductionRecovery')]),
  make: MachineToMake,
})
export type MachineRequest = Static<typeof MachineRequest>

/** Of a restore that writes nothing: programs of the computer read the revisions as raw disks. It has no place, but a socket later on. */
export const servedFormat = 'Raw'

/** Everything that the agent is told about a restore, except for credentials, and what people are told of its revisions. */
export const RestoreRequest = Type.Object({
  destination: Type.Object({ path: Type.String() }),
  diskFormat: Type.Union([DiskFormat, Type.Literal(servedFormat)]),
  revisions: Type.Array(RevisionToRestore, { minItems: 1 }),
  /** What the revisions are of, by their ids, for those who look at the restore; the agent is not told. */
  origins: Type.Optional(Type.Record(Type.String(), RevisionOrigin)),
  machine: Type.Optional(MachineRequest),
})
export type RestoreRequest = Static<typeof RestoreRequest>

/** Who may write to a share. */
export interface ShareCredentials {
  readonly username: string
  readonly password: string
}

/** Who is logged on where, while a restore needs it. */
export interface RestoreSecrets {
  readonly share?: ShareCredentials
  readonly host?: ShareCredentials
}

/** How far a task is, in the step that runs now. */
export interface Progress {
  readonly step: string
  readonly bytesDone: number
  readonly bytesTotal: number
}

/** Why a task does not get on: a code and a sentence. */
export interface TaskError {
  readonly code: string
  readonly message: string
}

interface TaskRecord extends Progress {
  readonly id: string
  /** The request that it comes of, of which its agent is told whenever it is told of the task. */
  readonly origin: MessageOrigin | null
  readonly state: TaskState
  readonly error: TaskError | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Null while the task is unfinished. */
  readonly endedAt: number | null
}

/** A backup as the store knows it. */
export interface BackupRecord extends TaskRecord {
  readonly kind: 'backup'
  readonly request: BackupRequest
  readonly revisionId: number | null
}

/** A restore as the store knows it. */
export interface RestoreRecord extends TaskRecord {
  readonly kind: 'restore'
  readonly request: RestoreRequest
  readonly files: readonly string[]
  /** What there is of the machine, once the restore has ended; null when there is none. */
  readonly machine: MadeMachine | null
  /** What came of a proof; null for everything else, and as long as it is unfinished. */
  readonly proof: ProofResult | null
  /** Disks that can be read, of a restore that serves them; null for all others, and until its agent has said so. */
  readonly served: ServedDisks | null
  readonly sealedCredentials: string | null
}
