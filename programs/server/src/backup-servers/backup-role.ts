/**
 * Which part a server has in the backups of an installation with several:
 *
 *            claims the backups                opens the vault
 *     standby ─────────────────> claimed ─────────────────────> active
 *        ^                          │ cannot                       │ another server has the claim, since the
 *        └──────────────────────────┴──────────────────────────────┘ connection to PostgreSQL was lost, or this
 *                                                                     one has not reached PostgreSQL or the storage
 *
 * A standby passes requests on to the active one ({@link BackupRelay}). The claim ends with the connection of its holder, and the vault has
 * a lease of its own: while an active server is cut off and does not know it yet, the storage takes nothing more from it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { BackupConfiguration, BackupService, SharedVault } from '@palisade/backup'
import type { Claim, HttpService, Log, Provisioning, Store } from '@palisade/platform'
import type { ActiveServerRecord } from './active-server.ts'
import type { BackupRelay } from './backup-relay.ts'

/** How often a standby looks who is active, and an active one whether its certificate is another. */
const lookEveryMs = 1_000
/**
 * So long a server tries to open the vault before it leaves that to others: one that was cut off gives it back when it hears that another
 * has the claim.
 */
const openingMaxMs = 120_000
/**
 * An active server that has not reached PostgreSQL for so long gives way to another that waits for the vault: that one has reached it. Where
 * none does, PostgreSQL is away for all, and what is under way goes on.
 */
const unclaimedMaxMs = 10_000
/** Nor is it certain that one who waits is seen: a lock of files may keep it from asking. */
const unclaimedAndUnaskedMaxMs = 60_000
/** The same of the storage, since it could not write any more. */
const vaultUnheldMaxMs = 5_000
/** After it could not become active, a server leaves others the time to. */
const retryAfterMs = 3_000
/**
 * So long a server that could not reach PostgreSQL leaves the claim alone when it reaches it again: the active one, whose connection was lost as
 * well, comes first, and what is under way with it goes on. It tries once a second, and an attempt takes up to five.
 */
const formerHolderFirstMs = 7_000

interface RoleDependencies {
  readonly store: Store
  readonly log: Log
  readonly record: ActiveServerRecord
  readonly relay: BackupRelay
  /** Where the others reach this server. */
  readonly address: string
  /** What it presents there, in PEM; undefined before its listener is open. */
  readonly certificate: () => string | undefined
  readonly createService: (sharedVault: SharedVault) => Promise<BackupService>
  /** Sees that this server could open the vault. */
  readonly requireVault: (sharedVault: SharedVault) => Promise<void>
}

/** The part that this server has, which changes while it runs. */
export class BackupRole {
  readonly #deps: RoleDependencies
  readonly #id = randomUUID()
  readonly #closing = new AbortController()
  #claim: Claim | undefined
  #service: BackupService | undefined
  /** Aborted when another server has the claim. */
  #lost = new AbortController()
  #onChange: () => Promise<void> = async () => undefined
  #running: Promise<void> | undefined
  #configuration: BackupConfiguration | undefined
  /** Whether it was not heard who has the claim, since PostgreSQL did not answer. */
  #wasCutOff = false
  /** What was presented when the others were told last. */
  #toldCertificate: string | undefined

  /**
   * Makes this server the active one when no other is, and a standby otherwise.
   *
   * @throws Error naming the member of the configuration that keeps it from opening the vault, now or when its turn comes
   */
  static async begin(deps: RoleDependencies): Promise<BackupRole> {
    const role = new BackupRole(deps)
    if (!(await role.#takeClaim(0))) {
      await deps.requireVault({ id: await deps.record.vaultId() })
      await role.#followActive()
      return role
    }
    try {
      await role.#open()
    } catch (error) {
      await role.#claim?.release()
      throw error
    }
    return role
  }

  private constructor(deps: RoleDependencies) {
    this.#deps = deps
  }

  /** The backup service; undefined while another server has it. */
  get service(): BackupService | undefined {
    return this.#service
  }

  /** What answers for backups now. */
  get services(): readonly HttpService[] {
    return this.#service === undefined ? this.#deps.relay.services : [this.#service]
  }

  /** What the configuration file says counts for the service that is there, and for the next. */
  get provisioning(): Provisioning<BackupConfiguration> {
    return {
      problems: async (given) => (await this.#service?.provisioning.problems(given)) ?? [],
      apply: async (given) => {
        this.#configuration = given
        await this.#service?.provisioning.apply(given)
      },
    }
  }

  /**
   * To be called when the server listens: others hear of it, and its part may change from now on.
   *
   * @param onChange has {@link services} answer in the place of what answered before
   */
  async start(onChange: () => Promise<void>): Promise<void> {
    this.#onChange = onChange
    if (this.#service !== undefined) await this.#tellOthers()
    this.#running = this.#keepRole()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.#deps.relay.finish()
    await this.#service?.close?.()
    await this.#claim?.release()
  }

  async #keepRole(): Promise<void> {
    // Also while what this server has had is being closed, which waits for what is cut off.
    const following = setInterval(() => {
      // Nothing is passed on while PostgreSQL is away either: the active server answers nothing then.
      this.#followActive().catch(() => undefined)
    }, lookEveryMs)
    try {
      while (!this.#closing.signal.aborted) await this.#takePart()
    } finally {
      clearInterval(following)
    }
  }

  async #takePart(): Promise<void> {
    try {
      if (this.#service === undefined) await this.#becomeActive()
      else await this.#stayActive()
    } catch (err) {
      if (this.#closing.signal.aborted) return
      this.#deps.log.error({ err }, 'this server could not take its part in the backups; it tries again')
      await this.#pause(retryAfterMs)
    }
  }

  /** Waits for its turn, and takes it. */
  async #becomeActive(): Promise<void> {
    const { log } = this.#deps
    try {
      if (this.#wasCutOff) {
        await this.#deps.record.vaultId()
        await this.#pause(formerHolderFirstMs)
      }
      this.#wasCutOff = true
      const isTaken = await this.#takeClaim(Number.POSITIVE_INFINITY)
      this.#wasCutOff = false
      if (!isTaken) return
      log.warn('the server that had the backups has gone: this one takes its place')
      await this.#openPatiently()
      await this.#tellOthers()
      await this.#onChange()
    } catch (error) {
      await this.#stepDown()
      throw error
    }
    this.#deps.relay.use(undefined)
    log.info('this server has the backups now')
  }

  /** Until another server is active. */
  async #stayActive(): Promise<void> {
    const { log, certificate } = this.#deps
    const [claim, vault] = [new Possession(), new Possession()]
    while (!this.#closing.signal.aborted && !this.#lost.signal.aborted) {
      await this.#pause(lookEveryMs)
      const withoutVaultMs = vault.missedMs(this.#service?.hasVault() === true)
      const withoutClaimMs = claim.missedMs(this.#claim?.isHeld === true)
      const isAsked = this.#service?.isVaultAsked() === true
      if (withoutVaultMs > vaultUnheldMaxMs) break
      if (withoutClaimMs > (isAsked ? unclaimedMaxMs : unclaimedAndUnaskedMaxMs)) break
      // What cannot be told now is tried again with the next look.
      if (certificate() !== this.#toldCertificate) await this.#tellOthers().catch(() => undefined)
    }
    if (this.#closing.signal.aborted) return
    log.warn(reasonToLeave(this.#lost.signal.aborted, this.#claim?.isHeld === true))
    await this.#stepDown()
  }

  /** Gives back all that only one server has, as far as this one has it, and has requests passed on. */
  async #stepDown(): Promise<void> {
    const [service, claim] = [this.#service, this.#claim]
    this.#service = undefined
    this.#claim = undefined
    // Others wait for the vault; the rest of the service may be waiting for a database that does not answer.
    const vaultLeft = service?.leaveVault()
    vaultLeft?.catch(() => undefined)
    try {
      await claim?.release()
      if (service !== undefined) await this.#onChange()
    } finally {
      await service?.close?.()
      await vaultLeft
    }
  }

  /** @returns whether this server has the claim now */
  async #takeClaim(waitMs: number): Promise<boolean> {
    const lost = new AbortController()
    this.#lost = lost
    this.#claim = await this.#deps.store.claim({
      name: 'backups',
      onWait: () => undefined,
      onLost: () => lost.abort(),
      waitMs,
      signal: this.#closing.signal,
    })
    return this.#claim !== undefined
  }

  async #open(): Promise<void> {
    const { record, createService } = this.#deps
    const service = await createService({ id: await record.vaultId() })
    try {
      await record.rememberVault(service.vaultId)
      if (this.#configuration !== undefined) await service.provisioning.apply(this.#configuration)
    } catch (error) {
      // It would keep the vault from whoever tries next, this server too.
      await service.close?.()
      throw error
    }
    this.#service = service
  }

  async #openPatiently(): Promise<void> {
    const endMs = performance.now() + openingMaxMs
    for (;;) {
      try {
        return await this.#open()
      } catch (error) {
        if (this.#closing.signal.aborted || performance.now() >= endMs) throw error
        this.#deps.log.warn({ err: error }, 'the vault could not be opened yet')
        await this.#pause(lookEveryMs)
      }
    }
  }

  async #tellOthers(): Promise<void> {
    const { record, address, certificate } = this.#deps
    const presented = certificate()
    const believed = address.startsWith('https:') ? (presented ?? null) : null
    await record.write({ id: this.#id, address, certificate: believed, takesPacks: true })
    this.#toldCertificate = presented
  }

  async #followActive(): Promise<void> {
    if (this.#service !== undefined) return
    const active = await this.#deps.record.read()
    if (this.#service !== undefined) return
    this.#deps.relay.use(active?.id === this.#id ? undefined : active)
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined)
  }
}

/** Something that an active server has, and may be without for a while only. */
class Possession {
  #heldMs = performance.now()

  /** For how long it has been without it. */
  missedMs(isHeld: boolean): number {
    const nowMs = performance.now()
    if (isHeld) this.#heldMs = nowMs
    return nowMs - this.#heldMs
  }
}

function reasonToLeave(isLost: boolean, isClaimHeld: boolean): string {
  if (isLost) {
    return 'another server has the backups since the connection to PostgreSQL was lost: requests are passed on'
  }
  const away = isClaimHeld ? 'the storage of the vault' : 'PostgreSQL'
  return `${away} cannot be reached: this server leaves the backups to those that reach it`
}
