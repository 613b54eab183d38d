import { Type } from 'typebox'

const nullable = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: Schema,
) => Type.Union([schema, Type.Null()])

const when = Type.String({ format: 'date-time' })

export const AccountPath = Type.Object({ account_id: Type.String() })
export const ComputerPath = Type.Object({ account_id: Type.String(), computer_id: Type.String() })
export const TaskPath = Type.Object({
  account_id: Type.String(),
  computer_id: Type.String(),
  id: Type.String(),
})

export const Errors = Type.Object({ errors: Type.Array(Type.String()) }, { title: 'Errors' })

export const ComputerView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    online: Type.Boolean({ description: 'whether the agent is connected' }),
    lastSeen: nullable(when),
    agentVersion: nullable(Type.String()),
    platform: nullable(Type.String()),
    hostName: nullable(Type.String()),
  },
  { title: 'Computer' },
)

const TaskError = Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()])

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

export const BackupView = Type.Object(
  {
    ...taskMembers,
    source: Type.Object({ path: Type.String(), partition: Type.Optional(Type.Integer()) }),
    revisionId: nullable(Type.Integer()),
  },
  { title: 'Backup' },
)

export const RestoreView = Type.Object(
  {
    ...taskMembers,
    destination: Type.Object({ path: Type.String() }),
    diskFormat: Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx')]),
    volumes: Type.Array(
      Type.Object({
        revisionId: Type.Integer(),
        deviceId: Type.String(),
        driveLetter: Type.String(),
        label: Type.String(),
        capacity: Type.Integer(),
      }),
    ),
    files: Type.Array(Type.String(), { description: 'the finished disks, when the restore has succeeded' }),
  },
  { title: 'Restore' },
)

export const StartedView = Type.Object({ data: Type.Object({ id: Type.String() }) }, { title: 'Started' })

export const RevisionView = Type.Object(
  {
    Id: Type.Integer(),
    DeviceId: Type.String(),
    DriveLetter: Type.String(),
    Label: Type.String(),
    DateTime: Type.String({ description: 'with seven fractional digits and an offset' }),
    Capacity: Type.Integer({ description: 'bytes' }),
    UsedSpace: Type.Integer({ description: 'bytes' }),
    IsBoot: Type.Boolean(),
  },
  { title: 'Revision' },
)

const ShareCredentials = Type.Object({ username: Type.String(), password: Type.String() })

/** For the OpenAPI document; the body is read by read-restore-request.ts, which answers in the specification's words. */
export const DiskRestore = Type.Object(
  {
    destination: Type.Object({
      path: Type.String({ description: 'a local folder or a network share' }),
      credentials: Type.Optional(ShareCredentials),
    }),
    diskFormat: Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx')]),
    revisions: Type.Array(Type.Integer(), { minItems: 1, description: 'one per volume' }),
  },
  { title: 'DiskRestore' },
)
