import { randomUUID } from 'node:crypto'
import { type Clock, TextSeal, type TransactionTables } from '@palisade/platform'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { AdministrationTables } from '../tables.ts'

/** How long somebody has to finish what he has begun. */
const lifetimeMs = 10 * 60_000

/** Browsers send it along when the provider sends them back, which `SameSite=Strict` would keep them from. */
const ticketCookie = '__Host-palisade-login'

const Ticket = Type.Object({ id: Type.String(), expiresAt: Type.Integer(), content: Type.Unknown() })

/** What a server has given out and gets back, once. */
export interface LoginTicket<Content> {
  readonly id: string
  readonly expiresAt: number
  readonly content: Content
}

/**
 * What has to be remembered between the beginning of a login and its end, sealed, with the browser that has begun it. Nothing
 * of it is stored before somebody has shown who he is, so that strangers fill no table; from then on it is of no use any more.
 */
export class LoginTickets {
  readonly #clock: Clock
  readonly #seal: TextSeal

  /** @param key 32 bytes that only this installation knows */
  constructor({ clock, key }: { clock: Clock; key: Buffer }) {
    this.#clock = clock
    this.#seal = new TextSeal(key, 'palisade-administration/login-ticket')
  }

  /**
   * Seals a ticket for ten minutes.
   *
   * @param purpose what it is for, and whose: it opens for the same only
   */
  issue(purpose: string, content: unknown): string {
    const ticket = { id: randomUUID(), expiresAt: this.#clock.now() + lifetimeMs, content }
    return this.#seal.seal(JSON.stringify(ticket), purpose)
  }

  /** Opens a ticket; undefined for one of another purpose or form, one that was altered, and one that has expired. */
  open<Schema extends TSchema>(
    purpose: string,
    sealed: string,
    schema: Schema,
  ): LoginTicket<Static<Schema>> | undefined {
    let ticket: unknown
    try {
      ticket = JSON.parse(this.#seal.open(sealed, purpose))
    } catch {
      // Whatever a stranger sends is no ticket.
      return undefined
    }
    if (!Value.Check(Ticket, ticket) || ticket.expiresAt <= this.#clock.now()) return undefined
    const { id, expiresAt, content } = ticket
    return Value.Check(schema, content) ? { id, expiresAt, content } : undefined
  }

  /**
   * Uses a ticket up.
   *
   * @returns whether nobody has done so before, on any server
   */
  async spend({ tables }: TransactionTables, { id, expiresAt }: LoginTicket<unknown>): Promise<boolean> {
    const db = tables<AdministrationTables>()
    await db.deleteFrom('admin_spent_ticket').where('expires_at', '<=', this.#clock.now()).execute()
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('admin_spent_ticket')
      .values({ id, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
}

/** Has the browser keep a ticket until the login is finished. */
export function sendTicket(reply: FastifyReply, sealed: string): void {
  reply.header('set-cookie', ticketCookieOf(sealed, lifetimeMs / 1000))
}

/** Has the browser forget its ticket. */
export function withdrawTicket(reply: FastifyReply): void {
  reply.header('set-cookie', ticketCookieOf('', 0))
}

/** The sealed ticket of a browser; empty where it has none. */
export function ticketOf({ headers }: FastifyRequest): string {
  return parseCookie(headers.cookie ?? '')[ticketCookie] ?? ''
}

function ticketCookieOf(value: string, maxAge: number): string {
  return stringifySetCookie({
    name: ticketCookie,
    value,
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
    path: '/',
    maxAge,
  })
}
