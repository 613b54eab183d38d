import { isDeepStrictEqual } from 'node:util'
import { type Clock, currentOrigin, type WorkOrigin } from '@palisade/platform'
import type {
  ForbiddenAddresses,
  ProxySnapshot,
  SnapshotChallenges,
  SnapshotChecks,
  SnapshotService,
} from '@palisade/proxy-protocol'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { TrialOrder } from '../stored-traffic/trials.ts'
import { WaitingRequests } from '../waiting-requests.ts'
import {
  type CompiledSnapshot,
  type PublishedSnapshot,
  publishedSnapshot,
  SnapshotCompiler,
} from './compile-snapshot.ts'
import type { ProxySecrets } from './proxy-secrets.ts'

/** Timers cannot wait longer, in milliseconds. */
const timerMaxMs = 2 ** 31 - 1

/** A snapshot with what it was made of. */
interface Compiled {
  readonly of: LiveConfiguration['snapshot']
  /** That of its keys. */
  readonly period: number
  readonly forbidden: ForbiddenAddresses
  readonly compiled: CompiledSnapshot
}

/** What authorities are to be answered for the time being. */
export interface ChallengeSource {
  /** The same object until it changes; undefined for nothing. */
  current(): SnapshotChallenges | undefined
  /** Calls the listener whenever it is something else. */
  onChange(listener: () => void): void
}

/** How many digests are remembered, the newest last. */
const digestsMax = 256

/** How many snapshots are remembered, so that proxies that have one of them need only be told what has changed since. */
const recentMax = 16

/**
 * Compiles the configuration when somebody asks for it, once for each change and whenever it is time for another key, and tells
 * those who wait.
 */
export class Publisher {
  readonly #configuration: LiveConfiguration
  readonly #stopListening: () => void
  readonly #waiting = new WaitingRequests()
  readonly #secrets: ProxySecrets
  readonly #clock: Clock
  readonly #forbidden: () => ForbiddenAddresses
  readonly #challenges: ChallengeSource
  #compiled: Compiled | undefined
  #newest:
    | {
        readonly of: CompiledSnapshot
        readonly challenges: SnapshotChallenges | undefined
        readonly published: PublishedSnapshot
      }
    | undefined
  #digests: readonly string[] = []
  #recent: readonly ProxySnapshot[] = []
  #compiler: SnapshotCompiler | undefined
  #keyChange: NodeJS.Timeout | undefined
  #isClosed = false
  #changeOrigin: WorkOrigin | undefined

  /** @param deps.forbidden where servers may not lie; asked for each time, since listeners open one after the other */
  constructor({
    configuration,
    secrets,
    clock,
    forbidden,
    challenges,
  }: {
    readonly configuration: LiveConfiguration
    readonly secrets: ProxySecrets
    readonly clock: Clock
    readonly forbidden: () => ForbiddenAddresses
    readonly challenges: ChallengeSource
  }) {
    this.#configuration = configuration
    this.#secrets = secrets
    this.#clock = clock
    this.#forbidden = forbidden
    this.#challenges = challenges
    challenges.onChange(() => this.#waiting.wake())
    this.#stopListening = configuration.onChange(() => {
      this.#changeOrigin = currentOrigin()
      this.#waiting.wake()
    })
  }

  /** The request that changed the configuration last; undefined when another server did, or nobody since the start. */
  get changeOrigin(): WorkOrigin | undefined {
    return this.#changeOrigin
  }

  /** What proxies are to do now. */
  newest(): PublishedSnapshot {
    const compiled = this.compiled()
    const challenges = this.#challenges.current()
    if (this.#newest?.of !== compiled || this.#newest.challenges !== challenges) {
      const published = publishedSnapshot(compiled, challenges)
      const { snapshot } = published
      const { digest } = snapshot
      this.#newest = { of: compiled, challenges, published }
      this.#digests = [...this.#digests.filter((one) => one !== digest), digest].slice(-digestsMax)
      this.#recent = [...this.#recent.filter((one) => one.digest !== digest), snapshot].slice(-recentMax)
    }
    return this.#newest.published
  }

  /** Whether a digest is that of a snapshot as new as another one, or newer. */
  isAsNew(digest: string, other: string): boolean {
    return digest === other || this.#digests.indexOf(digest) > this.#digests.indexOf(other)
  }

  /** The services and policies of the newest snapshot. */
  compiled(): CompiledSnapshot {
    const { snapshot } = this.#configuration
    const now = this.#clock.now()
    const period = this.#secrets.period(now)
    const before = this.#compiled
    const places = this.#forbidden()
    const forbidden = isDeepStrictEqual(before?.forbidden, places) && before ? before.forbidden : places
    if (before?.of === snapshot && before.period === period && before.forbidden === forbidden)
      return before.compiled
    this.#compiler ??= this.#newCompiler()
    const compiled = this.#compiler.compile(snapshot, now, forbidden)
    this.#compiled = { of: snapshot, period, forbidden, compiled }
    this.#wakeForKeys(this.#secrets.periodEnd(now) - now)
    return compiled
  }

  /**
   * A service as it is published now, and as it would be with another configuration.
   *
   * @returns undefined where it is not published, or would not be
   */
  trialOf(name: string, candidate: Snapshot): TrialOrder | undefined {
    const { services, policies } = this.compiled()
    const now = services.find((service) => service.name === name)
    const tried = this.#newCompiler().serviceOf(candidate, name, this.#clock.now())
    if (now === undefined || tried === undefined) return undefined
    return {
      now: withoutSecrets(now),
      candidate: withoutSecrets(tried.service),
      policies: { ...policiesOf(now, policies), ...tried.policies },
    }
  }

  #newCompiler(): SnapshotCompiler {
    return new SnapshotCompiler(
      {
        service: this.#configuration.kind('service'),
        blocklist: this.#configuration.kind('custom-ip-blocklist'),
        system: this.#configuration.kind('system'),
        localUser: this.#configuration.kind('local-user'),
      },
      this.#secrets,
    )
  }

  /**
   * Waits for a snapshot with another digest.
   *
   * @returns undefined when there was none before the signal was aborted or the publisher was closed
   */
  async other(than: string, signal: AbortSignal): Promise<ProxySnapshot | undefined> {
    while (!signal.aborted && !this.#isClosed) {
      const { snapshot } = this.newest()
      if (snapshot.digest !== than) return snapshot
      await this.#waiting.next(signal)
    }
    return undefined
  }

  /** The snapshot with a digest, if it is one of the last; undefined otherwise. */
  recent(digest: string): ProxySnapshot | undefined {
    return this.#recent.find((one) => one.digest === digest)
  }

  /** Lets everybody go who waits. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#keyChange)
    this.#stopListening()
    this.#waiting.wake()
  }

  /** Those who wait ask again when it is time for another key. */
  #wakeForKeys(inMs: number): void {
    clearTimeout(this.#keyChange)
    this.#keyChange = setTimeout(() => this.#waiting.wake(), Math.min(inMs, timerMaxMs)).unref()
  }
}

/** Those of the policies that a service names. */
function policiesOf(
  { policy, contentRules }: SnapshotService,
  policies: CompiledSnapshot['policies'],
): CompiledSnapshot['policies'] {
  const named = [policy, ...contentRules.map(({ checks }) => checks?.own?.policy)]
  return Object.fromEntries(Object.entries(policies).filter(([digest]) => named.includes(digest)))
}

/** What no trial asks for: keys, who may log in, and where the servers are. */
function withoutSecrets(service: SnapshotService): SnapshotService {
  const { tls: _, cookieSecurity: __, authentication: ___, forms: ____, checks, ...others } = service
  return {
    ...others,
    ...(checks === undefined ? {} : { checks: withoutKeys(checks) }),
    servers: [],
    contentRules: service.contentRules.map((rule) => ({ ...rule, servers: [] })),
  }
}

function withoutKeys({
  captcha: _,
  bots: __,
  tokenProfiles: ___,
  ...checks
}: SnapshotChecks): SnapshotChecks {
  return checks
}
