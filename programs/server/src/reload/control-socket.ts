import { once } from 'node:events'
import { realpathSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ReloadOutcome } from './reloads.ts'

/** Where a server takes requests of its own machine: a socket in the data directory, which its own user alone opens (0600). */
const socketName = 'palisade.sock'
const reloadPath = '/reload'
const supportPath = '/support'

/** What a server that runs adds to a support bundle: texts by the names of their files. */
export type ServerFiles = Readonly<Record<string, string>>

const ServerFilesSchema = Type.Record(Type.String(), Type.String())
const Outcome = Type.Object({ isApplied: Type.Boolean(), lines: Type.Array(Type.String()) })

/** A server cannot be asked; the message is a sentence without a full stop. */
export class ServerNotReached extends Error {
  override readonly name = 'ServerNotReached'
}

/**
 * Lets `palisade config reload` and `palisade support` ask the server that has a data directory. A socket of a server that was killed is replaced: whoever
 * calls this holds the directory.
 *
 * @param deps.file the configuration of the server; whoever names another one is refused
 * @returns ends it; the server goes on without it where the system makes no such socket
 */
export async function openControlSocket(deps: {
  readonly dataDirectory: string
  readonly file: string | undefined
  readonly reload: () => Promise<ReloadOutcome>
  readonly support: () => Promise<ServerFiles>
  readonly log: Log
}): Promise<() => Promise<void>> {
  const { dataDirectory, file, reload, support, log } = deps
  const outcomeOf = async (command: string): Promise<ReloadOutcome> => {
    const isSame = command === '' || (file !== undefined && isSameFile(command, file))
    if (isSame) return reload()
    const own = file === undefined ? 'no configuration file' : `the configuration ${file}`
    return { isApplied: false, lines: [`The server on this data directory has ${own}, and not ${command}.`] }
  }
  const answers: Readonly<Record<string, (body: string) => Promise<ReloadOutcome | ServerFiles>>> = {
    [`POST ${reloadPath}`]: outcomeOf,
    [`GET ${supportPath}`]: support,
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const answerOf = answers[`${incoming.method} ${incoming.url}`]
    if (answerOf === undefined) {
      response.writeHead(404).end()
      return
    }
    const reply = await answerOf(await text(incoming))
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(reply))
  }
  const server = createServer((incoming, response) => {
    // Whoever asked has gone, and reads the outcome in the log.
    answer(incoming, response).catch(() => response.destroy())
  })
  try {
    listenPrivately(server, join(dataDirectory, socketName))
    await once(server, 'listening')
  } catch (error) {
    log.warn(
      { err: error },
      '"palisade config reload" and "palisade support" cannot reach this server; SIGHUP has it reload',
    )
    return async () => undefined
  }
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

function listenPrivately(server: Server, path: string): void {
  rmSync(path, { force: true })
  const mask = process.umask(0o177)
  try {
    // Node makes the socket at once, before the mask is put back.
    server.listen(path)
  } finally {
    process.umask(mask)
  }
}

/**
 * Asks the server that has a data directory to read its configuration again.
 *
 * @param file the file that it should have; any when undefined
 * @throws ServerNotReached when none runs there, or another user's does
 */
export async function askForReload(dataDirectory: string, file: string | undefined): Promise<ReloadOutcome> {
  return ask(dataDirectory, { method: 'POST', path: reloadPath, body: file ?? '', schema: Outcome })
}

/**
 * Asks the server that has a data directory what it adds to a support bundle.
 *
 * @throws ServerNotReached as {@link askForReload}
 */
export async function askForServerFiles(dataDirectory: string): Promise<ServerFiles> {
  return ask(dataDirectory, { method: 'GET', path: supportPath, body: '', schema: ServerFilesSchema })
}

async function ask<Schema extends TSchema>(
  dataDirectory: string,
  question: {
    readonly method: string
    readonly path: string
    readonly body: string
    readonly schema: Schema
  },
): Promise<Static<Schema>> {
  const { method, path, body, schema } = question
  const asking = request({ socketPath: join(dataDirectory, socketName), path, method })
  asking.end(body)
  try {
    const [response] = await once(asking, 'response')
    const answer: unknown = JSON.parse(await text(response))
    if (Check(schema, answer)) return answer
    throw new Error('it answers something else')
  } catch (error) {
    throw new ServerNotReached(whyNotReached(error, dataDirectory))
  }
}

function whyNotReached(error: unknown, dataDirectory: string): string {
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return `no server runs on the data directory ${dataDirectory}`
    case 'EACCES':
    case 'EPERM':
      return `this user may not ask the server on the data directory ${dataDirectory}: run the command as its user`
    case 'EINVAL':
      return `the path of the data directory ${dataDirectory} is too long for a socket: send SIGHUP to the server`
    default:
      return `the server on the data directory ${dataDirectory} cannot be asked: ${error instanceof Error ? error.message : String(error)}`
  }
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    // One that is gone is told of when it is read.
    return one === other
  }
}
