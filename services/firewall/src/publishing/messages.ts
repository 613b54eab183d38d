import {
  countedMax,
  counterNames,
  learntClasses,
  learntMax,
  loggedEntriesMax,
  type ProxyCounts,
  type ProxyLearnt,
  type ProxyLogs,
  type ProxyReport,
  type ProxyReportDifference,
  type ProxyStoredRequests,
  ruleSetName,
  ruleSetNamesMax,
  type SharedMemoryMessage,
  sharedMemoryMax,
  sharedStorages,
  storedTrafficMax,
  type TrialResult,
} from '@palisade/proxy-protocol'
import { type Static, type TSchema, Type } from 'typebox'

const name = Type.String({ maxLength: 255 })
const sentences = Type.String({ maxLength: 4096 })

/** A `ReportedRules`. */
const Rules = Type.Object({
  problem: sentences,
  notice: sentences,
  folder: Type.String({ maxLength: 4096 }),
  release: Type.String({ maxLength: 128 }),
  ruleCount: Type.Integer({ minimum: 0 }),
})

const RuleSetName = Type.String({ pattern: ruleSetName.source })

/** A `ProxyReport`. */
const ReportSchema = Type.Object({
  proxy: Type.String({ minLength: 1, maxLength: 64 }),
  version: Type.Integer(),
  digest: Type.String({ maxLength: 64 }),
  problem: sentences,
  rulesProblem: sentences,
  rules: Type.Optional(Rules),
  ruleSets: Type.Optional(Type.Array(RuleSetName, { maxItems: ruleSetNamesMax })),
  services: Type.Array(
    Type.Object({
      name,
      isUp: Type.Boolean(),
      reason: sentences,
      servers: Type.Array(
        Type.Object({ name, rule: Type.Optional(name), isUp: Type.Boolean(), reason: sentences }),
      ),
    }),
  ),
  isLast: Type.Optional(Type.Literal(true)),
})

/** A `ProxyReportDifference`. */
const ReportDifferenceSchema = Type.Object({
  base: Type.String({ maxLength: 64 }),
  report: ReportSchema,
  gone: Type.Array(name),
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

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const moment = Type.Integer({ minimum: 0, maximum: 10 ** 13 })
const short = Type.String({ maxLength: 128 })
const few = (maxItems: number) => Type.Array(short, { maxItems })

/** `ProxyCounts`. */
const CountsSchema = Type.Object({
  proxy: Type.String({ minLength: 1, maxLength: 64 }),
  message: Type.String({ minLength: 1, maxLength: 64 }),
  counted: Type.Array(
    Type.Object({
      time: moment,
      service: name,
      counts: Type.Partial(Type.Record(Type.Union(counterNames.map((one) => Type.Literal(one))), count)),
    }),
    { maxItems: countedMax },
  ),
})

/** `ProxyLearnt`. */
const LearntSchema = Type.Object({
  urls: Type.Array(
    Type.Object({
      service: name,
      url: Type.String({ maxLength: 1024, pattern: '^/' }),
      navigation: Type.Optional(Type.Object({ parameter: short, value: short })),
      requests: count,
      clients: few(learntMax.clients),
      firstAt: moment,
      lastAt: moment,
      methods: few(learntMax.methods),
      contentTypes: Type.Array(Type.String({ maxLength: 200 }), { maxItems: learntMax.contentTypes }),
      bodyBytes: count,
      files: count,
      parameters: Type.Array(
        Type.Object({
          name: short,
          in: Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('file')]),
          requests: count,
          clients: few(learntMax.clients),
          instances: count,
          length: count,
          classes: Type.Array(Type.Union(learntClasses.map((one) => Type.Literal(one))), { maxItems: 10 }),
          characters: Type.String({ maxLength: 256 }),
          sentences: count,
          values: Type.Array(Type.Object({ digest: short, value: Type.Optional(short) }), {
            maxItems: learntMax.values,
          }),
          hasOtherValues: Type.Boolean(),
          extensions: few(learntMax.extensions),
        }),
        { maxItems: learntMax.parameters },
      ),
    }),
    { maxItems: learntMax.urlsOfMessage },
  ),
})

const byteString = (maxLength: number) => Type.String({ maxLength })

/** `ProxyStoredRequests`. */
const StoredRequestsSchema = Type.Object({
  requests: Type.Array(
    Type.Object({
      id: short,
      service: name,
      time: moment,
      clientAddress: short,
      isSecure: Type.Boolean(),
      method: short,
      target: byteString(64 * 1024),
      httpVersion: Type.String({ maxLength: 8 }),
      headers: Type.Array(byteString(64 * 1024), { maxItems: 4_000 }),
      body: Type.Optional(byteString(2 * storedTrafficMax.bodyBytes)),
      isRefused: Type.Boolean(),
    }),
    { maxItems: storedTrafficMax.requestsOfMessage },
  ),
})

const Verdict = Type.Object({
  passes: Type.Boolean(),
  findings: Type.Array(
    Type.Object({
      rule: byteString(255),
      target: sentences,
      attack: byteString(300),
      detail: byteString(500),
    }),
    { maxItems: storedTrafficMax.findings },
  ),
})

/** A `TrialResult`. */
const TrialResultSchema = Type.Object({
  trial: short,
  problem: sentences,
  rules: Type.Optional(Rules),
  tried: Type.Array(Type.Object({ id: short, now: Verdict, candidate: Verdict }), {
    maxItems: storedTrafficMax.requestsOfTrial,
  }),
})

/** A `SharedMemoryMessage`. */
const SharedMemorySchema = Type.Object({
  id: short,
  sender: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  changes: Type.Array(
    Type.Object({
      storage: Type.Union(sharedStorages.map((one) => Type.Literal(one))),
      collection: name,
      instance: Type.String({ maxLength: sharedMemoryMax.text }),
      value: Type.Optional(Type.String({ maxLength: sharedMemoryMax.text })),
      difference: Type.Optional(Type.Integer({ minimum: -(10 ** 9), maximum: 10 ** 9 })),
      expiresAt: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    { maxItems: sharedMemoryMax.changesOfMessage },
  ),
})

/** Holds the schemas against the protocol: what they let through is what the protocol says. */
type Fits<Schema extends TSchema, Message> = Static<Schema> extends Message ? Schema : never
/** Checks what proxies report. */
export const reportSchema: Fits<typeof ReportSchema, ProxyReport> = ReportSchema
/** Checks what proxies report that has changed. */
export const reportDifferenceSchema: Fits<typeof ReportDifferenceSchema, ProxyReportDifference> =
  ReportDifferenceSchema
/** Checks what proxies learnt. */
export const learntSchema: Fits<typeof LearntSchema, ProxyLearnt> = LearntSchema
/** Checks what proxies counted. */
export const countsSchema: Fits<typeof CountsSchema, ProxyCounts> = CountsSchema
/** Checks the requests that proxies keep. */
export const storedRequestsSchema: Fits<typeof StoredRequestsSchema, ProxyStoredRequests> =
  StoredRequestsSchema
/** Checks what came of a trial. */
export const trialResultSchema: Fits<typeof TrialResultSchema, TrialResult> = TrialResultSchema
/** Checks what proxies tell each other. */
export const sharedMemorySchema: Fits<typeof SharedMemorySchema, SharedMemoryMessage> = SharedMemorySchema
/** Checks the log entries of proxies. */
export const logsSchema: Fits<typeof LogsSchema, ProxyLogs> = LogsSchema
