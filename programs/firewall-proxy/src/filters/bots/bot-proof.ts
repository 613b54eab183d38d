import { Resolver } from 'node:dns/promises'
import type { SnapshotBot } from '@palisade/proxy-protocol'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { wildcard } from '../../patterns/wildcard.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'

/** Whether a client is the bot that it calls itself; `unknown` where names could not be looked up. */
export type Proof = 'proved' | 'refuted' | 'unknown'

/** How long an answer counts, by what it says. */
const proofLifetimeMs = { proved: 3_600_000, refuted: 3_600_000, unknown: 30_000 }

/** How long a request waits for it; the lookup itself goes on a little. */
const waitMs = 1_500

/** Answers that are kept, and lookups at once; further ones are not begun. */
const proofsMax = 10_000
const lookupsMax = 50

/** Names of one address that are looked up in turn. */
const namesMax = 5

/** What of a resolver is asked. Its `reverse` looks into a file of the machine and takes a server that is away for one that knows no name. */
type Names = Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>

/**
 * Finds out whether clients are the bots that they call themselves: the name to which the address leads has to be one of the bot's, and to
 * lead back to the address. Remembers it for a while.
 */
export class BotProof {
  readonly #resolver: Names
  readonly #proofs = new LRUCache<string, { readonly proof: Proof; readonly until: number }>({
    max: proofsMax,
  })
  readonly #lookups = new Map<string, Promise<Proof>>()

  /** @param resolver asks the name servers of the machine by default */
  constructor(
    resolver: Names = new Resolver({
      timeout: 1_000,
      tries: 2,
    }),
  ) {
    this.#resolver = resolver
  }

  /** @param now in milliseconds since 1970 */
  of(bot: SnapshotBot, address: string, now: number): Proof | Promise<Proof> {
    if (bot.provedBy === 'addresses') {
      return new ExceptionClients(bot.addresses).has(address) ? 'proved' : 'refuted'
    }
    const key = `${bot.name} ${address}`
    const proof = this.#proofs.get(key)
    if (proof !== undefined && now < proof.until) return proof.proof
    const lookup = this.#lookups.get(key) ?? this.#begin(key, bot, address, now)
    return lookup === undefined ? 'unknown' : soon(lookup)
  }

  #begin(key: string, bot: SnapshotBot, address: string, now: number): Promise<Proof> | undefined {
    if (this.#lookups.size >= lookupsMax) return undefined
    const lookup = this.#lookUp(bot, address).then((proof) => {
      this.#lookups.delete(key)
      this.#proofs.set(key, { proof, until: now + proofLifetimeMs[proof] })
      return proof
    })
    this.#lookups.set(key, lookup)
    return lookup
  }

  async #lookUp({ hosts }: SnapshotBot, address: string): Promise<Proof> {
    const tests = hosts.map((host) => wildcard(host))
    try {
      const names = await this.#resolver.resolvePtr(pointerName(address))
      const own = names.filter((name) => tests.some((fits) => fits(name.replace(/\.$/, ''))))
      for (const name of own.slice(0, namesMax)) {
        if (await this.#leadsTo(name, address)) return 'proved'
      }
      return 'refuted'
    } catch (error) {
      return isAbsent(error) ? 'refuted' : 'unknown'
    }
  }

  async #leadsTo(name: string, address: string): Promise<boolean> {
    const client = ipaddr.process(address)
    try {
      const all = await this.#resolver[client.kind() === 'ipv4' ? 'resolve4' : 'resolve6'](name)
      return all.some((one) => ipaddr.isValid(one) && ipaddr.process(one).toString() === client.toString())
    } catch (error) {
      if (isAbsent(error)) return false
      throw error
    }
  }
}

/** The name under which name servers have the names of an address (RFC 1035, section 3.5; RFC 3596, section 2.5). */
function pointerName(address: string): string {
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray().toReversed()
  if (parsed.kind() === 'ipv4') return `${bytes.join('.')}.in-addr.arpa`
  return `${bytes.map((byte) => `${(byte & 15).toString(16)}.${(byte >> 4).toString(16)}`).join('.')}.ip6.arpa`
}

/** Whether a name server has said that there is no such name, or none of this sort. */
function isAbsent(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes(String((error as { readonly code?: unknown }).code))
}

function soon(lookup: Promise<Proof>): Promise<Proof> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unknown'), waitMs)
    void lookup.then((proof) => {
      clearTimeout(timer)
      resolve(proof)
    })
  })
}
