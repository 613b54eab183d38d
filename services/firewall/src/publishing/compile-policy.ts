import { createHash } from 'node:crypto'
import type { SnapshotPolicy } from '@palisade/proxy-protocol'
import { compileActions } from '../features/action-policies/compile.ts'
import { compileHiddenErrors, hiddenHeaderReader } from '../features/cloaking/compile.ts'
import { compileProtectedData } from '../features/data-theft-protection/compile.ts'
import { compileParameterProtection } from '../features/parameter-protection/compile.ts'
import { requestLimitReader } from '../features/request-limits/compile.ts'
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
  readonly #compiled = new Map<ConfigurationObject, CompiledPolicy>()

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  /** A policy, made once. */
  compiled(object: ConfigurationObject): CompiledPolicy {
    const known = this.#compiled.get(object)
    if (known !== undefined) return known
    const policy = compilePolicy(object, this.#snapshot)
    const digest = createHash('sha256').update(JSON.stringify(policy)).digest('base64url')
    const compiled = { policy, digest }
    this.#compiled.set(object, compiled)
    return compiled
  }

  /** Those that were asked for, by digest. */
  get policies(): Readonly<Record<string, SnapshotPolicy>> {
    return Object.fromEntries(Array.from(this.#compiled.values(), ({ digest, policy }) => [digest, policy]))
  }
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
    hiddenHeaders: hiddenHeaderReader.of(policy)?.headers ?? [],
    ...optional('hiddenErrors', compileHiddenErrors(policy, snapshot)),
    tarpit: tarpitReader.of(policy),
    protectedData: compileProtectedData(policy, snapshot),
  }
}
