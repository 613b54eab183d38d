import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './exit-status.ts'

/** A server, and the operator's API token for it. */
export interface Profile {
  /** Where the services listen, such as https://palisade.example.org:8081. */
  readonly server: string
  readonly username: string
  readonly token: string
  /** The id of the token, by which it is revoked. */
  readonly tokenId: string
}

/** What `palisade login` has written. */
export interface Profiles {
  /** The profile that commands take when none is named. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** `$XDG_CONFIG_HOME/palisade/profiles.json`, in `~/.config` by default. */
export function profilesFile(): string {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return join(folder, 'palisade', 'profiles.json')
}

/**
 * All profiles of the user.
 *
 * @throws UsageError when the file cannot be read, or holds something else
 */
export function readProfiles(): Profiles {
  const file = profilesFile()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return { profiles: {} }
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  const content = jsonIn(text)
  if (isProfiles(content)) return content
  throw new UsageError(`${file} is not what "palisade login" writes. Mend it, or remove it and log in again.`)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProfiles(content: unknown): content is Profiles {
  const { profiles } = Object(content)
  return (
    typeof profiles === 'object' &&
    profiles !== null &&
    Object.values(profiles).every((profile) =>
      ['server', 'username', 'token', 'tokenId'].every((name) => typeof Object(profile)[name] === 'string'),
    )
  )
}

/** Replaces the file of profiles, which its owner alone can read. */
export function writeProfiles(profiles: Profiles): void {
  const file = profilesFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  try {
    writeFileSync(beside, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(beside, file)
  } finally {
    rmSync(beside, { force: true })
  }
}
