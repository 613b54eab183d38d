import { randomUUID } from 'node:crypto'
import { type Clock, RequestRefused, type Store, type TransactionTables } from '@palisade/platform'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import { loginRefused } from '../authentication/session-opening.ts'
import type { OperatorRow } from '../operators/operator.ts'
import type { AdministrationTables } from '../tables.ts'

/** A passkey as it is stored: the public key and the counter, nothing secret. */
export type PasskeyRow = Selectable<AdministrationTables['admin_passkey']>

/** More than anybody has keys. */
const passkeysMax = 20

/** The site that passkeys are for (WebAuthn: the relying party). */
export interface RelyingParty {
  /** A host name: browsers use a passkey for it alone. */
  readonly id: string
  readonly origin: string
}

/** The site at a public address; undefined where there is none, or it has an IP address, for which browsers make no passkeys. */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return undefined
  const { hostname, origin } = new URL(publicUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin }
}

/** An assertion that was verified, and has not counted yet. */
export interface VerifiedAssertion {
  readonly passkey: PasskeyRow
  readonly counter: number
}

/** Passkeys of operators: credentials of WebAuthn (level 3), whose private keys never leave an authenticator. */
export class Passkeys {
  #relyingParty: RelyingParty | undefined
  readonly #store: Store
  readonly #clock: Clock

  constructor(deps: { store: Store; clock: Clock }) {
    this.#store = deps.store
    this.#clock = deps.clock
  }

  /** Whether there are any: they need a site. */
  get areUsable(): boolean {
    return this.#relyingParty !== undefined
  }

  /** From now on passkeys are for this site; there are none where it is undefined. Those of another host name come back with it. */
  useSite(relyingParty: RelyingParty | undefined): void {
    this.#relyingParty = relyingParty
  }

  /** What a browser needs to make a passkey; its challenge is new each time. */
  async registrationOptions(operator: OperatorRow): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { id } = this.#site()
    const passkeys = await this.#passkeysOf(operator.id)
    if (passkeys.length >= passkeysMax) {
      throw new RequestRefused('conflict', `There are ${passkeysMax} passkeys already: remove one first.`)
    }
    return generateRegistrationOptions({
      rpName: 'Palisade',
      rpID: id,
      userID: new Uint8Array(Buffer.from(operator.id)),
      userName: operator.username,
      userDisplayName: operator.display_name,
      attestationType: 'none',
      excludeCredentials: passkeys.map((passkey) => ({ id: passkey.credential_id })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
  }

  /**
   * Checks what an authenticator has made.
   *
   * @param challenge of the options that it was made with
   * @returns the write that adds it
   * @throws RequestRefused bad-request where it is of another site or challenge
   */
  async register(
    operatorId: string,
    {
      name,
      credential,
      challenge,
    }: { name: string; credential: RegistrationResponseJSON; challenge: string },
  ): Promise<(tables: TransactionTables) => Promise<void>> {
    const { id, origin } = this.#site()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    }).catch(() => ({ registrationInfo: undefined }))
    if (registrationInfo === undefined) {
      throw new RequestRefused('bad-request', 'The passkey was not made for this site and challenge.', {
        field: 'credential',
      })
    }
    const { credential: made } = registrationInfo
    return async ({ tables }) => {
      const { numInsertedOrUpdatedRows = 0n } = await tables<AdministrationTables>()
        .insertInto('admin_passkey')
        .values({
          id: randomUUID(),
          operator_id: operatorId,
          credential_id: made.id,
          public_key: Buffer.from(made.publicKey).toString('base64url'),
          counter: made.counter,
          transports: JSON.stringify(made.transports ?? []),
          name,
          created_at: this.#clock.now(),
          used_at: null,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows > 0n) return
      throw new RequestRefused('conflict', 'This passkey is registered already.', { field: 'credential' })
    }
  }

  /**
   * What a browser needs to log in with a passkey.
   *
   * @param operatorId who has given his password; undefined for whoever has a passkey that knows its user
   */
  async loginOptions(operatorId: string | undefined): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id } = this.#site()
    const passkeys = operatorId === undefined ? [] : await this.#passkeysOf(operatorId)
    return generateAuthenticationOptions({
      rpID: id,
      userVerification: operatorId === undefined ? 'required' : 'preferred',
      allowCredentials: passkeys.map(({ credential_id, transports }) => ({
        id: credential_id,
        transports: JSON.parse(transports),
      })),
    })
  }

  /**
   * Checks an assertion of an authenticator.
   *
   * @param operatorId who has given his password; undefined where the passkey has to stand for it, and its user be verified
   * @throws RequestRefused unauthenticated whatever is wrong with it
   */
  async verify(
    assertion: AuthenticationResponseJSON,
    { challenge, operatorId }: { readonly challenge: string; readonly operatorId: string | undefined },
  ): Promise<VerifiedAssertion> {
    const { id, origin } = this.#site()
    const passkey = await this.#store
      .tables<AdministrationTables>()
      .selectFrom('admin_passkey')
      .selectAll()
      .where('credential_id', '=', assertion.id)
      .executeTakeFirst()
    if (passkey === undefined || !isOfOperator(passkey, assertion, operatorId)) throw passkeyRefused()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: operatorId === undefined,
    }).catch(() => ({ verified: false, authenticationInfo: undefined }))
    if (!verified || authenticationInfo === undefined) throw passkeyRefused()
    return { passkey, counter: authenticationInfo.newCounter }
  }

  /**
   * Has an assertion count.
   *
   * @throws RequestRefused unauthenticated when the passkey was removed or used meanwhile
   */
  async use({ tables }: TransactionTables, { passkey, counter }: VerifiedAssertion): Promise<void> {
    const { numUpdatedRows } = await tables<AdministrationTables>()
      .updateTable('admin_passkey')
      .set({ counter, used_at: this.#clock.now() })
      .where('id', '=', passkey.id)
      .where('counter', '=', passkey.counter)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw passkeyRefused()
  }

  #site(): RelyingParty {
    if (this.#relyingParty !== undefined) return this.#relyingParty
    throw new RequestRefused('conflict', 'Passkeys need administration.publicUrl with a host name.')
  }

  #passkeysOf(operatorId: string): Promise<PasskeyRow[]> {
    return this.#store
      .tables<AdministrationTables>()
      .selectFrom('admin_passkey')
      .selectAll()
      .where('operator_id', '=', operatorId)
      .execute()
  }
}

/** Says nothing of what is wrong: whoever guesses is not helped. */
export function passkeyRefused(): RequestRefused {
  return loginRefused('The passkey was not accepted: begin again.', 'credential')
}

/** A passkey that stands for the password also has to say whose it is (WebAuthn, section 7.2, step 6). */
function isOfOperator(
  { operator_id }: PasskeyRow,
  { response }: AuthenticationResponseJSON,
  operatorId: string | undefined,
): boolean {
  const handle = Buffer.from(operator_id).toString('base64url')
  if (response.userHandle !== undefined && response.userHandle !== handle) return false
  return operatorId === undefined ? response.userHandle !== undefined : operatorId === operator_id
}
