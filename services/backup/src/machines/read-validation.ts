import type { DiskFormat } from '@palisade/agent-protocol'
import { RequestInvalid } from '../envelope.ts'
import {
  asObject,
  type DiskFolder,
  readDiskFormat,
  readFolder,
  readRevisionIds,
} from '../restore/read-fields.ts'
import {
  type FirmwareType,
  type MachineSize,
  readFirmwareType,
  readHostId,
  readHostProperties,
  readSessionId,
  readSize,
} from './fields.ts'

/** Every member that a call about hosts or a validation can have; each call has some of them. */
interface Members {
  readonly sessionId: string
  readonly hostId: number
  readonly diskLocation: DiskFolder
  readonly diskFormat: DiskFormat
  readonly firmwareType: FirmwareType
  readonly hostProperties: MachineSize
  readonly revisions: readonly number[]
}

type Reader<Value> = (value: unknown, errors: string[]) => Value | undefined

const readers: { readonly [Name in keyof Members]: Reader<Members[Name]> } = {
  sessionId: readSessionId,
  hostId: readHostId,
  diskLocation: (value, errors) => readFolder(value, 'disklocation', errors),
  diskFormat: readDiskFormat,
  firmwareType: readFirmwareType,
  hostProperties: (value, errors) => {
    const properties = readHostProperties(value, errors)
    return properties && readSize(properties, errors)
  },
  revisions: readRevisionIds,
}

/**
 * Reads members of a body.
 *
 * @param names what is needed, in the order in which it is complained about
 * @throws RequestInvalid naming everything that is wrong
 */
export function readMembers<Name extends keyof Members>(
  body: unknown,
  names: readonly Name[],
): Pick<Members, Name> {
  const fields = asObject(body) ?? {}
  const errors: string[] = []
  const read = Object.fromEntries(names.map((name) => [name, readers[name](fields[name], errors)]))
  if (errors.length > 0) throw new RequestInvalid(errors)
  // A reader that complains about nothing has given its value.
  return read as Pick<Members, Name>
}

/** The id of a host, which calls about one host name `id`. @throws RequestInvalid */
export function readHostWish(body: unknown): { readonly sessionId: string; readonly hostId: number } {
  const fields = asObject(body) ?? {}
  const errors: string[] = []
  const hostId = readHostId(fields.id, errors, '[id] is missing or invalid')
  const sessionId = readSessionId(fields.sessionId, errors)
  if (hostId === undefined || sessionId === undefined) throw new RequestInvalid(errors)
  return { sessionId, hostId }
}
