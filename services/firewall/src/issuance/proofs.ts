/** How it is proven to an authority that names are held: in the snapshots of proxies, or in DNS. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Log } from '@palisade/platform'
import type { SnapshotChallenges } from '@palisade/proxy-protocol'
import { type AccountKey, AcmeFailure, type Authorization, type Challenge } from '../acme/index.ts'
import { makeChallengeCertificate } from '../certificates/index.ts'
import { callDnsHook } from './dns-hook.ts'
import type { PendingChallenges } from './pending-challenges.ts'
import type { AcmeSettings, ChallengeType } from './settings.ts'

/** Proxies that have not taken a proof by then are down; the authority will say what it sees. */
const obeyMaxMs = 10_000

/** Other servers look for challenges each second, and their proxies take a snapshot at once. */
const othersFollowMs = 4_000

/** Removing a record takes no longer, in milliseconds: somebody may wait for the server's end. */
const removalMaxMs = 60_000

/** What proofs are shown with. */
export interface ProofDependencies {
  readonly settings: AcmeSettings
  readonly pending: PendingChallenges
  /** Waits until proxies obey what is published; ends with the signal. */
  readonly untilObeyed: (signal: AbortSignal) => Promise<void>
  /** Whether other servers may be on the store. */
  readonly hasOtherServers: boolean
  readonly clock: Clock
  readonly log: Log
}

/** One thing to be proven, and how. */
export interface Proof {
  readonly name: string
  readonly authorization: string
  readonly challenge: Challenge & { readonly token: string }
}

/** Shows proofs, and takes them away. */
export class Proofs {
  readonly #deps: ProofDependencies

  constructor(deps: ProofDependencies) {
    this.#deps = deps
  }

  /** Has them shown wherever the authority looks. @returns takes them away; must not throw */
  async show(proofs: readonly Proof[], key: AccountKey, signal: AbortSignal): Promise<() => Promise<void>> {
    const { pending, untilObeyed, hasOtherServers, clock, log } = this.#deps
    const undo: (() => Promise<void>)[] = []
    const takeAway = async () => {
      for (const one of undo) {
        await one().catch((err: unknown) =>
          log.warn({ err }, 'a proof for an authority could not be taken away'),
        )
      }
    }
    try {
      const challenges = await challengesOf(proofs, key, clock.now())
      if (challenges.http.length + challenges.tls.length > 0) {
        undo.push(await pending.add(challenges))
        await untilObeyed(AbortSignal.any([signal, AbortSignal.timeout(obeyMaxMs)]))
        signal.throwIfAborted()
        if (hasOtherServers) await pause(othersFollowMs, undefined, { signal })
      }
      for (const proof of proofs)
        if (proof.challenge.type === 'dns-01') undo.push(await this.#setRecord(proof, key, signal))
      return takeAway
    } catch (error) {
      await takeAway()
      throw error
    }
  }

  async #setRecord(
    { name, challenge }: Proof,
    key: AccountKey,
    signal: AbortSignal,
  ): Promise<() => Promise<void>> {
    const { settings, log } = this.#deps
    const { dnsHook = '' } = settings
    const value = createHash('sha256').update(key.authorization(challenge.token)).digest('base64url')
    const record = { name: `_acme-challenge.${name}`, value }
    await callDnsHook(dnsHook, 'set', record, { signal, log })
    // Also when the order was broken off, but not for long then.
    return () => callDnsHook(dnsHook, 'remove', record, { signal: AbortSignal.timeout(removalMaxMs), log })
  }
}

/**
 * Chooses how something is proven.
 *
 * @param authorization where the authority has it @param types in the order in which they are preferred
 * @throws AcmeFailure where the authority takes none of them
 */
export function proofOf(
  { identifier, challenges }: Authorization,
  authorization: string,
  types: readonly ChallengeType[],
): Proof {
  for (const type of types) {
    const challenge = challenges.find((one) => one.type === type)
    if (challenge?.token !== undefined) {
      return { name: identifier.value, authorization, challenge: { ...challenge, token: challenge.token } }
    }
  }
  throw new AcmeFailure(
    `The authority takes none of ${types.join(', ')} for ${identifier.value}, and nothing else is possible here.`,
  )
}

/** What proxies are told. */
async function challengesOf(
  proofs: readonly Proof[],
  key: AccountKey,
  now: number,
): Promise<SnapshotChallenges> {
  const of = (type: ChallengeType) => proofs.filter(({ challenge }) => challenge.type === type)
  return {
    http: of('http-01').map(({ challenge: { token } }) => ({
      token,
      keyAuthorization: key.authorization(token),
    })),
    tls: await Promise.all(
      of('tls-alpn-01').map(async ({ name, challenge: { token } }) => {
        const certificate = await makeChallengeCertificate(name, key.authorization(token), now)
        return {
          name,
          certificate: { chain: certificate.certificatePem, privateKey: certificate.privateKeyPem },
        }
      }),
    ),
  }
}
