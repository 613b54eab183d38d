import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** What is heard of one topic. */
export interface NotificationListener {
  /** A server has sent this, maybe the own one. */
  heard(message: string): void
  /** Something may have been sent that was not heard, since the connection was away. */
  missed(): void
}

/**
 * Messages between the servers on one database, which arrive within milliseconds. They are hints: one may get lost, and none arrives
 * while there is no connection, or through a pooler that gives each transaction another one. Whoever listens looks into the tables all
 * the same, now and then.
 */
export interface Notifications {
  /**
   * Sends a message to all servers, when the transaction of these tables has succeeded.
   *
   * @param message short; PostgreSQL takes at most 8,000 bytes
   */
  send(tables: QueryExecutorProvider, topic: string, message: string): Promise<void>
  /** @returns ends it */
  listen(topic: string, listener: NotificationListener): () => void
}

/** SQLite belongs to one server, which has nobody to tell. */
export const noNotifications: Notifications = {
  send: async () => undefined,
  listen: () => () => undefined,
}

/** All our topics share one channel of PostgreSQL, so that one LISTEN hears of them. */
export const notificationChannel = 'palisade'

/** Sends over PostgreSQL's NOTIFY. Installations in other schemas of the same database have topics of their own. */
export async function notify(tables: QueryExecutorProvider, topic: string, message: string): Promise<void> {
  await sql`SELECT ${notification(topic, message)}`.execute(tables)
}

/** The call of PostgreSQL that sends a message as {@link notify} does, for a statement that does more than that. */
export function notification(topic: string, message: string): RawBuilder<string> {
  return sql`pg_notify(${notificationChannel}, json_build_array(current_schema(), ${topic}::text, ${message}::text)::text)`
}
