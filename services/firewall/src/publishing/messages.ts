import { loggedEntriesMax, type ProxyLogs, type ProxyReport } from '@palisade/proxy-protocol'
import { type Static, type TSchema, Type } from 'typebox'

const name = Type.String({ maxLength: 255 })
const sentences = Type.String({ maxLength: 4096 })

/** A `ProxyReport`. */
const ReportSchema = Type.Object({
  proxy: Type.String({ minLength: 1, maxLength: 64 }),
  version: Type.Integer(),
  digest: Type.String({ maxLength: 64 }),
  problem: sentences,
  rulesProblem: sentences,
  services: Type.Array(
    Type.Object({
      name,
      isUp: Type.Boolean(),
      reason: sentences,
      servers: Type.Array(Type.Object({ name, isUp: Type.Boolean(), reason: sentences })),
    }),
  ),
})

const Entry = Type.Intersect([
  Type.Object({ time: Type.Integer({ minimum: 0, maximum: 10 ** 13 }) }),
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
])

/** `ProxyLogs`. */
const LogsSchema = Type.Object({
  access: Type.Array(Entry, { maxItems: loggedEntriesMax }),
  webFirewall: Type.Array(Entry, { maxItems: loggedEntriesMax }),
})

/** Holds the schemas against the protocol: what they let through is what the protocol says. */
type Fits<Schema extends TSchema, Message> = Static<Schema> extends Message ? Schema : never
export const reportSchema: Fits<typeof ReportSchema, ProxyReport> = ReportSchema
export const logsSchema: Fits<typeof LogsSchema, ProxyLogs> = LogsSchema
