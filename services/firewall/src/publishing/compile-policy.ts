import { createHash } from 'node:crypto'
import type { SnapshotPolicy, SnapshotService } from '@palisade/proxy-protocol'
import { compileActions } from '../features/action-policies/compile.ts'
import { compileHiddenErrors, hiddenHeaderReader } from '../features/cloaking/compile.ts'
import { compileProtectedData } from '../features/data-theft-protection/compile.ts'
import { compileParameterProtection } from '../features/parameter-protection/compile.ts'
import { requestLimitReader } from '../features/request-limits/compile.ts'
import { secondStageReader } from '../features/second-stage/compile.ts'
import { tarpitReader } from '../features/tarpit/compile.ts'
import { compileGlobalAcls } from '../features/url-acls/compile.ts'
import { normalizationReader } from '../features/url-normalization/compile.ts'
import { compileUrlProtection } from '../features/url-protection/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { optional } from '../objects/reading.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** A policy with the digest under which a snapshot has it. */
interface CompiledPolicy {
  readonly policy: SnapshotPolicy
  readonly digest: string
}

/** The policies of a snapshot, each compiled once however many services name it. */
export class PolicyLibrary {
  readonly #snapshot: Snapshot
  readonly #compiled: Map<ConfigurationObject, CompiledPolicy>

  /** @param like of a snapshot with the same policies, and all else the same that they name: what it has compiled counts here too */
  constructor(snapshot: Snapshot, like?: PolicyLibrary) {
    this.#snapshot = snapshot
    this.#compiled = like ? like.#compiled : new Map()
  }

  /** A policy, made once. */
  compiled(object: ConfigurationObject): CompiledPolicy {
    const cached = this.#compiled.get(object)
    if (cached !== undefined) return cached
    const policy = compilePolicy(object, this.#snapshot)
    const digest = createHash('sha256').update(JSON.stringify(policy)).digest('base64url')
    const compiled = { policy, digest }
    this.#compiled.set(object, compiled)
    return compiled
  }

  /** Those that services name, by digest. */
  namedBy(services: readonly SnapshotService[]): Readonly<Record<string, SnapshotPolicy>> {
    const usedDigests = new Set(services.flatMap(digestsIn))
    return Object.fromEntries(
      [...this.#compiled.values()]
        .filter(({ digest }) => usedDigests.has(digest))
        .map(({ digest, policy }) => [digest, policy] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  }
}

/** The digests of the policies that a service and its content rules name. */
function digestsIn({ policy, contentRules }: SnapshotService): string[] {
  const own = contentRules.map(({ checks }) => checks?.own?.policy)
  return [policy, ...own].filter((digest) => digest !== undefined)
}

/** A security policy as proxies are told. */
export function compilePolicy(policy: ConfigurationObject, snapshot: Snapshot): SnapshotPolicy {
  return {
    name: policy.name,
    ...compileActions(policy, snapshot),
    ...optional('requestLimits', requestLimitReader.of(policy)),
    normalization: normalizationReader.of(policy),
    globalAcls: compileGlobalAcls(policy, snapshot),
    ...optional('urlProtection', compileUrlProtection(policy, snapshot)),
    ...optional('parameterProtection', compileParameterProtection(policy, snapshot)),
    ...optional('secondStage', secondStageReader.of(policy)),
    hiddenHeaders: hiddenHeaderReader.of(policy)?.headers ?? [],
    ...optional('hiddenErrors', compileHiddenErrors(policy, snapshot)),
    tarpit: tarpitReader.of(policy),
    protectedData: compileProtectedData(policy, snapshot),
  }
}
